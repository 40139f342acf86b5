import AdSlots
import Reachability
import Testing

@Suite("The test source")
struct TestSourceTests {
    private let request = SourceRequest(
        id: RequestID(7), slot: "<b>&\"'", source: .network("test"), size: .small,
        deadline: .zero + .seconds(10))

    @Test("It fills with an advertisement of the size asked for, after its delay")
    func fill() throws {
        var source = TestSource()
        source.expires = .seconds(60)
        let answer = try #require(source.answer(to: request, at: .zero + .seconds(1)))
        #expect(answer.after == .milliseconds(50))
        let creative = try answer.result.get()
        #expect(creative.size == .small)
        #expect(creative.id == "test-7")
        #expect(creative.expires == .zero + .milliseconds(61_050))
        #expect(creative.isFromNetwork)
        #expect(creative.path == nil)
    }

    @Test("Its markup is a whole document that loads nothing and lets no name break out")
    func markup() throws {
        let creative = try #require(try TestSource().answer(to: request, at: .zero)?.result.get())
        let markup = try #require(creative.markup)
        #expect(markup.hasPrefix("<!DOCTYPE html>") && markup.hasSuffix("</html>"))
        #expect(markup.contains("width: 320px; height: 50px"))
        #expect(markup.contains("&lt;b&gt;&amp;&quot;&#39;"))
        for word in ["<b>", "http", "src=", "<script"] { #expect(!markup.contains(word)) }
    }

    @Test(
        "It can be told to fail",
        arguments: [(TestSource.Behaviour.noFill, SourceError.noFill), (.serverFailure, .serverFailure)])
    func failures(behaviour: TestSource.Behaviour, error: SourceError) {
        let answer = TestSource.answering(behaviour).answer(to: request, at: .zero)
        #expect(answer?.result == .failure(error))
    }

    @Test("Told to time out it never answers")
    func timeout() {
        #expect(TestSource.answering(.timeout).answer(to: request, at: .zero) == nil)
    }

    @Test("It can answer with a size that nobody asked for")
    func otherSize() throws {
        var source = TestSource()
        source.size = .large
        #expect(try source.answer(to: request, at: .zero)?.result.get().size == .large)
    }
}
