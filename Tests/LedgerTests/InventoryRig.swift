import Campaigns
import Foundation

@testable import Ledger

extension StateRig {
    /// Whether a file of creatives lies on the disk.
    func creativeFiles() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/creatives")) ?? []).sorted()
    }

    func tend(_ ledger: Ledger) throws {
        while ledger.needsTending { try ledger.tendInventory(at: clocks) }
    }
}

extension Campaign {
    /// A campaign with something in every field.
    static func full(_ name: String = "Autumn sale") -> Campaign {
        var campaign = Campaign(
            id: CampaignID(0), name: name, advertiser: "Shoes Ltd",
            price: Money(micros: 2_500_001, currency: .euro), creatives: [])
        campaign.domain = "shoes.example"
        campaign.categories = ["IAB18", "IAB2-3"]
        campaign.flight = Flight(
            start: WallTime(milliseconds: 1_800_000_000_001), end: WallTime(milliseconds: 1_900_000_000_000))
        campaign.dayparts = ["mon-fri 16:00-01:00", "sat,sun 08:00-24:00"].compactMap { try? Daypart($0) }
        campaign.tier = 2
        campaign.delivery = .guaranteed(impressions: 1_000_000)
        campaign.caps = [
            FrequencyCap(count: 3, windowSeconds: 3_600, scope: .slot),
            FrequencyCap(count: 20, windowSeconds: 86_400, scope: .device),
        ]
        campaign.isEnabled = false
        return campaign
    }

    /// A campaign that is as plain as can be.
    static func plain(_ name: String = "plain") -> Campaign {
        Campaign(
            id: CampaignID(0), name: name, advertiser: "A", price: Money(micros: 0, currency: .usDollar),
            creatives: [])
    }
}

extension Creative {
    static func sized(_ width: Int, _ height: Int, clickURL: String? = nil) -> Creative {
        Creative(id: CreativeID(0), size: CreativeSize(width: width, height: height), clickURL: clickURL)
    }
}

/// Pictures that are made, of any size, each with a content of its own.
enum Picture {
    /// A GIF (GIF89a Specification): nothing but its size is drawn of it.
    static func gif(_ width: Int, _ height: Int, mark: UInt8 = 0) -> [UInt8] {
        func two(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
        return Array("GIF89a".utf8) + two(width) + two(height) + [0, 0, 0]
            // A comment, and an image of one pixel.
            + [0x21, 0xFE, 1, mark, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0] + [0x3B]
    }
}
