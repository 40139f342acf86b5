import Foundation
import Testing
import Varlink

/// Campaigns of a daemon, as an operator adds them over the socket.
struct HouseInventory {
    private let daemon: DaemonProcess

    init(of daemon: DaemonProcess) { self.daemon = daemon }

    /// The configuration of slots that ask for house campaigns only, and again and again.
    static func configuration(_ slots: String..., keys: String = "", schedule: String = "") -> String {
        let sections = slots.map { slot in
            """
            [Slot \(slot)]
            Sources=house
            Sizes=320x50
            WhenUnreachable=house
            MinimumInterval=0
            MinimumView=0
            \(keys)

            """
        }
        return sections.joined() + "[Source house]\nKind=house\n[Schedule]\n\(schedule)\n"
    }

    /// Adds a campaign with a creative of 320x50: markup, or the picture of an address.
    /// - Returns: their numbers.
    @discardableResult
    func add(
        _ name: String, _ fields: JSONObject = [:], markup: String? = nil, address: String? = nil
    ) throws -> (campaign: Int64, creative: Int64) {
        var campaign: JSONObject = [
            "name": .string(name), "advertiser": "Somebody", "price": "2.50", "currency": "EUR",
        ]
        for member in fields.members { campaign[member.key] = member.value }
        let connection = try daemon.connect()
        defer { connection.close() }
        let added = try connection.call("org.adslotd.Campaigns.Add", ["campaign": .object(campaign)])
        let id = try added.object("campaign").number("id")
        var own: JSONObject = ["size": ["width": 320, "height": 50]]
        if let address {
            own["address"] = .string(address)
            own["kind"] = "image"
        } else {
            let content = Data((markup ?? "<p>\(name)</p>").utf8).base64EncodedString()
            own["upload"] = .integer(
                try connection.call(
                    "org.adslotd.Campaigns.Upload", ["data": .string(content), "last": true]
                ).number("upload"))
        }
        let creative = try connection.call(
            "org.adslotd.Campaigns.AddCreative",
            ["campaign": .integer(id), "creative": .object(own)])
        return (id, try creative.object("creative").number("id"))
    }

    /// Edits a campaign as it is now.
    func edit(_ id: Int64, _ fields: JSONObject) throws {
        let campaign = try daemon.call("org.adslotd.Campaigns.Get", ["id": .integer(id)]).object("campaign")
        try daemon.call(
            "org.adslotd.Campaigns.Edit",
            [
                "id": .integer(id), "revision": .integer(try campaign.number("revision")),
                "campaign": .object(fields),
            ])
    }

    func remove(_ id: Int64) throws {
        try daemon.call("org.adslotd.Campaigns.Remove", ["id": .integer(id)])
    }

    /// The path of a creative's file.
    func file(of creative: Int64) throws -> String {
        try daemon.call("org.adslotd.Campaigns.GetCreative", ["id": .integer(creative)]).object("creative")
            .text("file")
    }

    /// What Explain says of a slot, in one text.
    func explanation(of slot: String = "banner") throws -> String {
        let steps = try daemon.call("org.adslotd.Slots.Explain", ["slot": .string(slot)])["steps"]?.array
        return try #require(steps).compactMap(\.string).joined(separator: "\n")
    }

    /// A host comes and goes again.
    /// - Returns: what it was given to draw, nil where there was nothing.
    func visit(_ slot: String = "banner") throws -> String? {
        let host = try Host(on: daemon, slot: slot)
        try host.expect("create")
        let next = try #require(try host.next(within: Deadline.patience))
        try #require(next.kind == "show" || next.kind == "hide")
        host.die()
        try daemon.waitUntilDetached(slot)
        return try next.creative?.text("markup")
    }

    /// Microseconds since the Unix epoch, so many seconds from now.
    static func moment(in seconds: Double) -> JSONValue {
        .integer(Int64((Date().timeIntervalSince1970 + seconds) * 1_000_000))
    }
}
