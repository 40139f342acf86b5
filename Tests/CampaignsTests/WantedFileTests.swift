import Testing

@testable import Campaigns

@Suite("Which files are wanted")
struct WantedFileTests {
    private let now = Moment(steadyMilliseconds: 0, wall: .monday)

    private func creative(
        _ address: String, _ id: Int64, _ change: (inout Campaign) -> Void = { _ in }
    ) -> AddressedCreative {
        AddressedCreative(
            campaign: Campaign.sample(id).with(change), creative: CreativeID(id * 100), address: address)
    }

    @Test("Running before those to come, these by their start; what is over is not wanted")
    func order() {
        let (files, nextChange) = WantedFile.all(
            of: [
                creative("later", 1) { $0.flight.start = .monday + 7_200 },
                creative("over", 2) { $0.flight.end = .monday },
                creative("soon", 3) { $0.flight.start = .monday + 3_600 },
                creative("ends", 4) { $0.flight.end = .monday + 1_800 },
                creative("first", 5) { $0.tier = 1 },
                creative("disabled", 6) { $0.isEnabled = false },
                creative("without", 7) { $0.creatives[0].isEnabled = false },
            ], at: now)
        #expect(
            files == [
                WantedFile(address: "first", need: .now), WantedFile(address: "ends", need: .now),
                WantedFile(address: "soon", need: .ahead(.monday + 3_600)),
                WantedFile(address: "later", need: .ahead(.monday + 7_200)),
            ])
        #expect(nextChange == .monday + 1_800)
    }

    @Test("A file that two campaigns name is wanted once, for the one that needs it sooner")
    func shared() {
        let (files, _) = WantedFile.all(
            of: [creative("a", 1) { $0.flight.start = .monday + 3_600 }, creative("a", 2)], at: now)
        #expect(files == [WantedFile(address: "a", need: .now)])
    }

    @Test("A clock that is not trusted makes campaigns with dates wait, the hours of the day do not count")
    func untrusted() throws {
        let night = try Daypart("mon-sun 03:00-04:00")
        let (files, nextChange) = WantedFile.all(
            of: [
                creative("dated", 1) { $0.flight.end = .monday }, creative("undated", 2),
                creative("night", 3) { $0.dayparts = [night] },
            ],
            at: Moment(
                steadyMilliseconds: 0, wall: .monday + 60, trust: .untrusted(.notSynchronised)))
        #expect(
            files == [
                WantedFile(address: "undated", need: .now), WantedFile(address: "night", need: .now),
                WantedFile(address: "dated", need: .ahead(.monday + 60)),
            ])
        #expect(nextChange == nil)
    }
}
