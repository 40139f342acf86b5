import AdSlots
import Testing

@Suite("The size rule and the frames rule")
struct LayoutTests {
    @Test(
        "The widest allowed size that fits the width and a fifth of the height, then the tallest",
        arguments: [
            (viewport: Size(width: 400, height: 800), chosen: Size(width: 320, height: 50)),
            (viewport: Size(width: 320, height: 250), chosen: Size(width: 320, height: 50)),
            (viewport: Size(width: 319, height: 250), chosen: Size(width: 300, height: 50)),
            (viewport: Size(width: 480, height: 249), chosen: Size(width: 480, height: 32)),
            (viewport: Size(width: 480, height: 300), chosen: Size(width: 480, height: 32)),
            (viewport: Size(width: 479, height: 300), chosen: Size(width: 468, height: 60)),
            (viewport: Size(width: 800, height: 400), chosen: Size(width: 768, height: 66)),
            (viewport: Size(width: 800, height: 329), chosen: Size(width: 480, height: 32)),
            (viewport: Size(width: 1023, height: 450), chosen: Size(width: 970, height: 90)),
            (viewport: Size(width: 1920, height: 1080), chosen: Size(width: 1024, height: 66)),
            (viewport: Size(width: 299, height: 1000), chosen: nil),
            (viewport: Size(width: 1000, height: 159), chosen: nil),
        ] as [(viewport: Size, chosen: Size?)])
    func sizes(viewport: Size, chosen: Size?) {
        #expect(Layout.size(for: viewport, among: Layout.defaultSizes) == chosen)
    }

    @Test("Of two sizes of one width the taller is chosen, whichever comes first in the list")
    func tallest() {
        let sizes = [Size(width: 320, height: 100), Size(width: 320, height: 50)]
        #expect(Layout.size(for: Size(width: 320, height: 500), among: sizes) == sizes.first)
        #expect(Layout.size(for: Size(width: 320, height: 500), among: sizes.reversed()) == sizes.first)
        #expect(Layout.size(for: Size(width: 320, height: 499), among: sizes) == sizes.last)
    }

    @Test("Without an allowed size there is none to choose")
    func noSizes() {
        #expect(Layout.size(for: .phone, among: []) == nil)
    }

    @Test("On screen the banner is centred at its edge and the content has the rest")
    func shownFrames() {
        let top = Layout.shown(.small, in: .phone, at: .top)
        #expect(top.banner == Rectangle(x: 40, y: 0, width: 320, height: 50))
        #expect(top.content == Rectangle(x: 0, y: 50, width: 400, height: 750))
        let bottom = Layout.shown(.small, in: .phone, at: .bottom)
        #expect(bottom.banner == Rectangle(x: 40, y: 750, width: 320, height: 50))
        #expect(bottom.content == Rectangle(x: 0, y: 0, width: 400, height: 750))
    }

    @Test("Hidden, the banner is just outside its edge and the content has the whole viewport")
    func hiddenFrames() {
        let top = Layout.hidden(.small, in: .phone, at: .top)
        #expect(top.banner == Rectangle(x: 40, y: -50, width: 320, height: 50))
        let bottom = Layout.hidden(.small, in: .phone, at: .bottom)
        #expect(bottom.banner == Rectangle(x: 40, y: 800, width: 320, height: 50))
        for frames in [top, bottom] {
            #expect(frames.content == Rectangle(x: 0, y: 0, width: 400, height: 800))
        }
    }

    @Test(
        "A viewport with a side outside its bounds is refused with the side named",
        arguments: [
            (viewport: Size(width: 0, height: 100), named: "width 0"),
            (viewport: Size(width: 100, height: 0), named: "height 0"),
            (viewport: Size(width: -1, height: 100), named: "width -1"),
            (viewport: Size(width: 32_769, height: 100), named: "width 32769"),
            (viewport: Size(width: 1, height: .max), named: "height \(Int.max)"),
        ])
    func problems(viewport: Size, named: String) {
        #expect(Layout.problem(with: viewport)?.hasPrefix(named) == true)
    }

    @Test("A viewport is good up to its bounds, whether or not a size fits")
    func goodViewports() {
        #expect(Layout.problem(with: Size(width: 1, height: 1)) == nil)
        #expect(Layout.problem(with: Size(width: 32_768, height: 32_768)) == nil)
    }
}
