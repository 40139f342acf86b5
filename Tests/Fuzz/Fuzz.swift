import AdslotService
import Campaigns
import Configuration
import Glibc
import NetlinkWatcher
import OpenRTB
import Reachability
import Varlink

/// What is fed: FUZZ_TARGET in the environment says which reader.
enum Target: String {
    /// The netlink decoder, and the model behind it.
    case netlink
    /// The reader of flight records, and the replay behind it.
    case record
    /// The JSON reader.
    case json
    /// Varlink's framing, and the calls and replies in it.
    case varlink
    /// The parser of interface descriptions.
    case description
    /// The reader of configuration files.
    case configuration
    /// The judge of an exchange's answers.
    case openrtb
    /// The check of creatives' files.
    case creative

    static let chosen: Target = {
        guard let name = unsafe getenv("FUZZ_TARGET") else { preconditionFailure("FUZZ_TARGET is not set") }
        guard let target = Target(rawValue: unsafe String(cString: name)) else {
            preconditionFailure("FUZZ_TARGET is none of the targets")
        }
        return target
    }()
}

/// libFuzzer's entry: any bytes may be refused, none may trap or be read past their end.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
    switch Target.chosen {
    case .netlink: feedNetlink(bytes)
    case .record: feedRecord(bytes)
    case .json: feedJSON(bytes)
    case .varlink: feedVarlink(bytes)
    case .description: feedDescription(bytes)
    case .configuration: feedConfiguration(bytes)
    case .openrtb: feedOpenRTB(bytes)
    case .creative: feedCreative(bytes)
    }
    return 0
}

/// Every link has a route.
private struct Anywhere: RouteLookup {
    mutating func answer(_ query: RouteQuery) -> RouteAnswer {
        .unicast(link: query.outputLink ?? 2, metric: 0)
    }
}

private func feedNetlink(_ bytes: [UInt8]) {
    var model = ReachabilityModel(settings: ReachabilitySettings())
    var lookup = Anywhere()
    for fact in MessageDecoder.decode(bytes) { model.apply(fact) }
    _ = model.judge(at: .zero, lookup: &lookup)
    for link in model.network.links { _ = model.network.classify(link, rules: []) }
}

private func feedRecord(_ bytes: [UInt8]) {
    func play(_ bytes: [UInt8]) {
        guard var replay = try? Replay(bytes) else { return }
        while let step = replay.next() { _ = step }
    }
    play(bytes)
    // And with the right checks, so that what lies behind them is reached.
    var repaired = bytes
    RecordChecks.repair(&repaired)
    play(repaired)
}

private func feedJSON(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(reading: bytes) else { return }
    let written = value.encoded
    guard let again = try? JSONValue(reading: written) else {
        preconditionFailure("what was written is unreadable")
    }
    precondition(again == value && again.encoded == written, "what was written is something else")
}

private func feedVarlink(_ bytes: [UInt8]) {
    var framer = MessageFramer(messageBytesMax: 4_096)
    // In pieces, as they may come.
    let middle = bytes.count / 2
    for piece in [Array(bytes[..<middle]), Array(bytes[middle...])] {
        framer.append(piece)
        while true {
            guard let message = try? framer.next() else { break }
            guard let call = try? CallMessage(reading: message) else {
                _ = ReplyMessage(reading: message)
                continue
            }
            var again = MessageFramer(messageBytesMax: .max)
            again.append(call.encoded)
            guard let encoded = try? again.next(), let same = try? CallMessage(reading: encoded) else {
                preconditionFailure("a call that was written is unreadable")
            }
            precondition(same == call, "a call that was written is another one")
        }
    }
}

private func feedDescription(_ bytes: [UInt8]) {
    _ = try? InterfaceDescription.parse(String(decoding: bytes, as: UTF8.self))
}

private func feedConfiguration(_ bytes: [UInt8]) {
    _ = try? ConfigurationFiles.configuration(from: [("fuzz", bytes)])
}

private func feedOpenRTB(_ bytes: [UInt8]) {
    var settings = DemandSettings()
    settings.blocks.domains = ["rival.example"]
    settings.blocks.categories = ["IAB25"]
    guard
        let request = BidRequest(
            id: "a", settings: settings, slot: "banner", format: Format(width: 320, height: 50),
            connection: .wifi, timeLeft: .seconds(1), now: 0)
    else { preconditionFailure("there is time enough") }
    let auction = request.judge(bytes)
    var notices = auction.losses
    if case .won(let win) = auction.outcome {
        precondition(!win.domains.contains { $0.lowercased().hasSuffix("rival.example") && $0.count == 13 })
        notices += [win.winNotice, win.billing?.notice(at: 1)].compactMap(\.self)
    }
    precondition(notices.allSatisfy { WebAddress.isAcceptable($0.url) }, "a notice that may not be called")
}

private func feedCreative(_ bytes: [UInt8]) {
    guard let file = try? InspectedFile(bytes) else { return }
    precondition((file.pixels == nil) == (file.format == .html), "a picture without a size, or a sized page")
    guard let pixels = file.pixels else { return }
    precondition(pixels.width > 0 && pixels.height > 0, "an empty picture")
    precondition((try? file.check(fits: pixels)) != nil, "a picture that does not fit its own size")
}
