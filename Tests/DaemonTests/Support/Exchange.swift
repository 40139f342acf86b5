import Testing
import Varlink

/// The far end of a wired network (`e0`, 10.0.0.2), which is an exchange that bids until told otherwise.
final class Exchange {
    private let farEnd: FarEnd

    /// A source that asks it, and a slot that asks that source; with further keys of both.
    static func configuration(source: String = "", slot: String = "", sources: String = "ex") -> String {
        """
        [Slot banner]
        Sources=\(sources)
        Sizes=320x50
        MinimumInterval=0
        RetryInterval=50ms
        RetryMax=100ms
        RequestTimeout=10s
        \(slot)
        [Source ex]
        Kind=openrtb
        Endpoint=http://10.0.0.1/bid
        BreakerFailures=100
        \(source)

        """
    }

    /// Makes the network, with the exchange behind it.
    init(in network: Network) throws {
        farEnd = try FarEnd(in: network, "exchange.py")
    }

    /// Gives it a line and waits until it has taken it.
    func tell(_ line: String, at place: SourceLocation = #_sourceLocation) throws {
        try farEnd.tell(line, at: place)
    }

    /// What has come to it so far. No request may have had a fault.
    func report(at place: SourceLocation = #_sourceLocation) throws -> ExchangeReport {
        let report = ExchangeReport(object: try .reading(try #require(try farEnd.tell("report").first)))
        #expect(try report.faults == [], sourceLocation: place)
        #expect(farEnd.complaints == "", sourceLocation: place)
        return report
    }

    /// Waits until what has come is as said.
    @discardableResult
    func wait(
        for what: String, within duration: Duration = Deadline.patience,
        at place: SourceLocation = #_sourceLocation,
        _ isSo: (ExchangeReport) throws -> Bool
    ) throws -> ExchangeReport {
        let deadline = Deadline(after: duration)
        while true {
            let report = try report(at: place)
            if try isSo(report) { return report }
            guard deadline.pause() else { throw NotInTime(what: what, account: "\(report.object)") }
        }
    }
}

/// What has come to an exchange.
struct ExchangeReport {
    let object: JSONObject

    var connections: Int64 { get throws { try object.number("connections") } }
    var requests: Int64 { get throws { try object.number("requests") } }
    var request: JSONObject { get throws { try object.object("request") } }
    var faults: [String] { get throws { try #require(object["faults"]?.array).compactMap(\.string) } }

    /// The paths of the notices of a kind that were answered with 200, in the order in which they came.
    func notices(_ kind: String) throws -> [String] {
        try object.objects("notices").filter { try $0.text("kind") == kind && $0.number("status") == 200 }
            .map { try $0.text("path") }
    }
}
