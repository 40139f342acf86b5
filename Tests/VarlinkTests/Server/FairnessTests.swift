import Testing

@testable import Varlink
@testable import VarlinkCore

@Suite("Turns are shared")
struct FairnessTests {
    @Test("Who sends hundreds of calls at a time has some answered a turn, and others come in between")
    func pipelined() throws {
        let service = try TestService()
        let (greedy, modest) = (try service.connect(), try service.connect())
        try greedy.send(String(repeating: wire("Echo", #"{"text":"many"}"#), count: 200))
        try modest.send(wire("Echo", #"{"text":"one"}"#))
        try service.turn(until: { greedy.messages.count == 200 && modest.messages.count == 1 })
        let place = try #require(service.log.firstIndex(of: "echo one"))
        #expect(place <= 3 * Limits.callsPerTurnMax)
        #expect(service.log.filter { $0 == "echo many" }.count == 200)
    }
}
