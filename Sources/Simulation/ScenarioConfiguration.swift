internal import Configuration
internal import Reachability

extension Scenario {
    /// The configuration that the `set` lines come to. A source that only a `source` line names is of the
    /// kind that its name is, else of kind `test`; `test` itself always exists.
    func configuration() throws(ScenarioError) -> Configuration {
        var builder = ConfigurationBuilder(needsEndpoints: false)
        for step in steps {
            guard case .set(let section, let key, let value) = step.action else { continue }
            if section == "Reachability", let message = Scenario.objection(to: key, value) {
                throw ScenarioError(line: step.line, message: message)
            }
            do throws(ConfigurationFault) {
                try builder.set(key, to: value, in: section)
            } catch {
                throw ScenarioError(line: step.line, message: error.description)
            }
        }
        do throws(ConfigurationFault) {
            for name in sourceNames {
                try builder.open("Source \(name)")
                guard !isSet("Source \(name)"), SourceSettings.Kind(rawValue: name) != nil else { continue }
                try builder.set("Kind", to: name, in: "Source \(name)")
            }
        } catch {
            throw ScenarioError(line: steps.first?.line ?? 1, message: error.description)
        }
        do throws(ConfigurationBuilder.CrossFault) {
            return try builder.finish()
        } catch {
            throw ScenarioError(line: line(of: error), message: "\(error.section): \(error.fault)")
        }
    }

    /// What needs a world outside that a scenario does not have.
    private static func objection(to key: String, _ value: String) -> String? {
        switch key {
        case "Target" where !value.isEmpty && IPAddress(value) == nil:
            "Target=: nobody resolves names in a scenario; give an address"
        case "ConnectivityCheck" where !value.isEmpty:
            "ConnectivityCheck=: nobody answers it in a scenario"
        case "NetworkManagerMetered" where value == "yes":
            "NetworkManagerMetered=: there is no NetworkManager in a scenario"
        default: nil
        }
    }

    private func isSet(_ section: String) -> Bool {
        steps.contains { step in
            if case .set(section, _, _) = step.action { true } else { false }
        }
    }

    private var sourceNames: [String] {
        var names = ["test"]
        for step in steps {
            guard case .source(let name, _) = step.action, !names.contains(name) else { continue }
            names.append(name)
        }
        return names
    }

    /// The line that set the key to blame, else any of its section.
    private func line(of fault: ConfigurationBuilder.CrossFault) -> Int {
        var ofSection = 1
        for step in steps.reversed() {
            guard case .set(fault.section, let key, _) = step.action else { continue }
            if key == fault.key { return step.line }
            ofSection = step.line
        }
        return ofSection
    }
}
