import Testing
import Varlink

@Suite("Parameters are read with their types")
struct ParametersTests {
    private enum Placement: String { case top, bottom }

    private func read(_ text: String) throws -> String {
        guard case .object(let object) = try JSONValue(reading: text) else { return "no object" }
        var parameters = Parameters(object)
        let slot = try parameters.string("slot")
        let size = try parameters.object("viewport") { viewport throws(ParameterError) in
            let width = try viewport.int("width")
            guard width > 0 else { throw viewport.invalid("width") }
            return "\(width)x\(try viewport.int("height"))"
        }
        let visible = try parameters.optionalBool("visible").map { "\($0)" } ?? "-"
        let host = try parameters.optionalString("host") ?? "-"
        let count = try parameters.optionalInt("count").map { "\($0)" } ?? "-"
        let placement = try parameters.optionalChoice("placement", of: Placement.self)?.rawValue ?? "-"
        let names = try parameters.optionalStrings("names")?.joined(separator: "+") ?? "-"
        try parameters.finish()
        return [slot, size, visible, host, count, placement, names].joined(separator: " ")
    }

    @Test("What is optional may be left out or null")
    func reads() throws {
        let viewport = #""viewport":{"width":320,"height":480}"#
        #expect(try read(#"{"slot":"banner",\#(viewport)}"#) == "banner 320x480 - - - - -")
        #expect(
            try read(#"{"slot":"banner",\#(viewport),"visible":null,"host":null}"#)
                == "banner 320x480 - - - - -")
        let all = #""visible":true,"host":"h","count":3,"placement":"top","names":["a","b"]"#
        #expect(try read(#"{\#(all),"slot":"banner",\#(viewport)}"#) == "banner 320x480 true h 3 top a+b")
    }

    @Test(
        "What is missing, unknown, or of another type is named",
        arguments: [
            (#"{}"#, "slot"), (#"{"slot":null}"#, "slot"), (#"{"slot":1}"#, "slot"),
            (#"{"slot":"s"}"#, "viewport"), (#"{"slot":"s","viewport":[]}"#, "viewport"),
            (#"{"slot":"s","viewport":{}}"#, "viewport.width"),
            (#"{"slot":"s","viewport":{"width":"1","height":1}}"#, "viewport.width"),
            (#"{"slot":"s","viewport":{"width":1.0,"height":1}}"#, "viewport.width"),
            (#"{"slot":"s","viewport":{"width":0,"height":1}}"#, "viewport.width"),
            (#"{"slot":"s","viewport":{"width":1,"height":1,"depth":1}}"#, "viewport.depth"),
            (#"{"slot":"s","viewport":{"width":1,"height":1},"visible":1}"#, "visible"),
            (#"{"slot":"s","viewport":{"width":1,"height":1},"placement":"left"}"#, "placement"),
            (#"{"slot":"s","viewport":{"width":1,"height":1},"names":["a",1]}"#, "names"),
            (#"{"slot":"s","viewport":{"width":1,"height":1},"colour":"red"}"#, "colour"),
        ])
    func names(text: String, parameter: String) {
        #expect(throws: ParameterError(parameter)) { try read(text) }
    }
}
