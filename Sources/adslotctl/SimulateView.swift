internal import LinuxSupport
internal import Reachability
internal import Simulation
internal import Varlink

/// `simulate`: runs scenarios, prints what they bring about, and says what did not hold.
struct SimulateView {
    let manner: OutputManner

    /// Runs each file.
    /// - Returns: the worst that happened: done, refused (something did not hold), usage (no scenario).
    func run(_ files: [String]) throws(Failure) -> ExitCode {
        var worst = ExitCode.done
        for file in files {
            let code = try run(file)
            if code.rawValue > worst.rawValue { worst = code }
        }
        return worst
    }

    private func run(_ file: String) throws(Failure) -> ExitCode {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try TextFile.read(file, maximum: Limits.fileBytesMax)
        } catch {
            complain("\(error)")
            return .usage
        }
        var run: ScenarioRun
        do throws(ScenarioError) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ScenarioError(line: SimulateView.lineOfBadText(bytes), message: "this is not UTF-8")
            }
            run = try ScenarioRun(Scenario(parsing: text))
        } catch {
            complain("\(file):\(error)")
            return .usage
        }
        var failure: Failure?
        let outcome = run.run { report in
            guard failure == nil else { return }
            do throws(Failure) {
                try print(report)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        for each in outcome.failures { complain("\(file):\(each)") }
        return outcome.isGood ? .done : .refused
    }

    private func complain(_ text: String) {
        // Where nobody reads it the exit code still says it.
        try? StandardStream.error.writeLine(text.printable)
    }

    private func print(_ report: Report) throws(Failure) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("at", Int(report.at.microseconds))
            writer.member("kind", report.kind)
            writer.members(report.fields)
        }
        let line = String(decoding: writer.bytes, as: UTF8.self)
        guard manner == .pretty, let value = try? JSONValue(reading: writer.bytes) else {
            return try Output.line(line)
        }
        try Output.line(value.pretty)
    }

    /// The line in which the text stops being UTF-8.
    private static func lineOfBadText(_ bytes: [UInt8]) -> Int {
        var line = 1
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard String(validating: part, as: UTF8.self) != nil else { return line }
            line += 1
        }
        return line
    }
}

extension JSONWriter {
    fileprivate mutating func members(_ fields: [Report.Field]) {
        for field in fields {
            key(field.name)
            value(field.value)
        }
    }

    private mutating func value(_ value: Report.Value) {
        switch value {
        case .text(let text): self.value(text)
        case .number(let number): self.value(number)
        case .flag(let flag): self.value(flag)
        case .none: null()
        case .object(let fields): object { $0.members(fields) }
        }
    }
}
