import AdSlots
import Campaigns
import Foundation
import Reachability
import Simulation
import Testing

@testable import AdSources

/// Random lives of three slots, two of them with an exchange besides: hosts come and go, people touch, the
/// inventory is edited, files go, clocks are set, and the daemon is killed.
@Suite("Random lives of house ads")
struct HouseLifeTests {
    @Test(
        "No cap is ever broken, no competitors meet, and what was shown is what is counted", arguments: 1...12
    )
    func life(seed: Int) throws {
        var life = try Life(seed: UInt64(seed))
        for _ in 0..<600 { try life.step() }
        try life.rest()
    }
}

private struct Life {
    let rig: HouseRig
    private var random: SeededGenerator
    private var hosts: [String: HostID] = [:]
    private var begins = 0
    private var revision: Int64 = 1
    private let label: String
    private static let slots = ["left", "right", "top"]
    private static let cap = 7

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        label = "seed \(seed)"
        let exchange = SourceReference(name: "exchange", isNetwork: true)
        let house = SourceReference(name: "house", isNetwork: false)
        rig = try HouseRig(slots: [
            .house("left"), .house("right") { $0.sources = [exchange, house] },
            .house("top") { $0.sources = [house, exchange] },
        ])
        for id in 1...6 as ClosedRange<Int64> { try rig.put(Self.campaign(id, revision: 1)) }
        changeExchange()
    }

    /// 1 and 2 are of one advertiser, 3 and 4 of one category; 5 has hours, and 6 what nobody competes with.
    private static func campaign(_ id: Int64, revision: Int64) throws -> Campaign {
        let daypart = try Daypart("00:00-12:30")
        return .sample(id) {
            $0.revision = revision
            $0.domain = id == 6 ? nil : "a\(max(2, id)).example"
            if id == 3 || id == 4 { $0.categories = ["IAB2"] }
            if id == 5 { $0.dayparts = [daypart] }
            $0.caps = [FrequencyCap(count: cap, windowSeconds: 86_400 * 30, scope: .device)]
            if id > 4 { $0.caps = [] }
        }
    }

    mutating func step() throws {
        let slot = Self.slots.randomElement(using: &random) ?? "left"
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: rig.run(for: .seconds(.random(in: 0..<40, using: &random)))
        case 35..<50: if hosts[slot] == nil { hosts[slot] = rig.attach(slot) }
        case 50..<55: if let host = hosts.removeValue(forKey: slot) { rig.perform(.detach(host: host)) }
        case 55..<67: if let host = hosts[slot] { rig.see(host, Bool.random(using: &random)) }
        case 67..<75: touch(slot)
        case 75..<80: changeExchange()
        case 80..<85: try edit()
        case 85..<89: try changeFile()
        case 89..<92: rig.stepClock(by: .random(in: -4_000..<4_000, using: &random))
        case 92..<94: rig.clocks.reading.isSynchronised.toggle()
        case 94..<96:
            rig.perform(
                .setEnablement(slot: slot, Bool.random(using: &random) ? .enabled : .disabled(until: nil)))
        case 96..<98: rig.perform(.memoryPressure)
        default:
            hosts = [:]
            rig.restart(boot: Bool.random(using: &random) ? "boot" : "boot \(rig.now.microseconds)")
        }
        check()
    }

    private mutating func touch(_ slot: String) {
        guard let host = hosts[slot], let banner = rig.coordinator.slot(named: slot)?.banner else { return }
        begins += 1
        let effects = rig.perform(
            .beginAction(
                begin: BeginID(begins), host: host, banner: banner, leavesApplication: false,
                pathUsable: true))
        rig.run(for: .seconds(.random(in: 0..<50, using: &random)))
        for case .beginAnswered(_, .allowed(let action)) in effects where Bool.random(using: &random) {
            rig.perform(.finishAction(host: host, action: action))
        }
    }

    private mutating func changeExchange() {
        let domain = ["a2.example", "a9.example", "www.a3.example"].randomElement(using: &random) ?? ""
        let categories = Bool.random(using: &random) ? ["IAB2-5"] : []
        rig.others["exchange"] =
            Bool.random(using: &random)
            ? .failure(.noFill) : .success(.bid("b", domain: domain, categories: categories))
    }

    private mutating func edit() throws {
        revision += 1
        let id = Int64.random(in: 1...6, using: &random)
        let isEnabled = Int.random(in: 0..<4, using: &random) > 0
        var campaign = try Self.campaign(id, revision: revision)
        campaign.isEnabled = isEnabled
        try rig.put(campaign)
        rig.answer()
    }

    private mutating func changeFile() throws {
        let path = rig.path(of: .random(in: 1...6, using: &random) * 100)
        let file = URL(fileURLWithPath: path)
        if let content = try? Data(contentsOf: file) {
            if content.count < 5 || Bool.random(using: &random) {
                try FileManager.default.removeItem(at: file)
            } else {
                try content.prefix(4).write(to: file)
            }
        } else {
            try Data("picture \(file.lastPathComponent)".utf8).write(to: file)
        }
    }

    private func check() {
        let creatives = Self.slots.compactMap { rig.coordinator.slot(named: $0)?.creative }
        for (place, one) in creatives.enumerated() {
            for other in creatives.dropFirst(place + 1) where one.source == "house" || other.source == "house"
            {
                let pair = [one, other].map {
                    Separation(domains: $0.advertiserDomains, categories: $0.categories)
                }
                let domains = Set(pair[0].domains).intersection(pair[1].domains)
                #expect(domains.isEmpty, "\(label): \(one.id) and \(other.id) are of one advertiser")
            }
        }
        for id in 1...4 as ClosedRange<Int64> {
            let count = rig.shown.count { $0 == id }
            #expect(count <= Self.cap, "\(label): campaign \(id) was shown \(count) times")
        }
        #expect(rig.ads.advertisements.count <= 2 * Self.slots.count, "\(label): ads are left behind")
    }

    /// All hosts go: nothing is open any more.
    mutating func rest() throws {
        for host in hosts.values { rig.perform(.detach(host: host)) }
        for id in 1...6 as ClosedRange<Int64> {
            let count = rig.shown.count { $0 == id }
            #expect(rig.delivered(id) == count, "\(label): campaign \(id)")
        }
        #expect(rig.ads.scheduler.memory.decisions.allSatisfy { $0.state != .pending }, "\(label)")
        #expect(rig.shown.count > 20, "\(label): too dull a life")
    }
}
