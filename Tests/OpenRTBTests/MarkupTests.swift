import Testing

@testable import OpenRTB

@Suite("Markup")
struct MarkupTests {
    @Test(
        "The first link's target is the click URL, where it leads to the web",
        arguments: [
            ("<a href=\"https://a.example/\">x</a>", "https://a.example/"),
            ("<A class='x y'  HREF = 'https://a.example/?a=1&amp;b=2' >", "https://a.example/?a=1&b=2"),
            ("<abbr href=https://b.example>x</abbr><a href=https://a.example>x</a>", "https://a.example"),
            ("<a\ntitle=\"href=https://b.example\"\nhref=https://a.example/>", "https://a.example/"),
            ("<a data-href=\"https://b.example/\" href=\"https://a.example/\">", "https://a.example/"),
            ("<a href=\"javascript:alert(1)\">x</a>", nil),
            ("<a href=\"data:text/html,x\">x</a><a href=https://a.example>", nil),
            ("<a href=\"/relative\">", nil), ("<a name=x>", nil), ("<a href", nil), ("<a href=", nil),
            ("<a href=\"https://a.example", nil), ("<a", nil), ("<a ", nil), ("", nil), ("<b>x</b>", nil),
            ("<a title='", nil), ("<a title=\"", nil),
        ] as [(String, String?)])
    func click(markup: String, url: String?) {
        #expect(Markup(markup).clickURL == url)
    }

    @Test(
        "What loads without encryption is seen, and what only leads there is not",
        arguments: [
            ("<img src=\"http://a.example/x.png\">", true), ("<IMG SRC = 'HTTP://a.example/x.png'>", true),
            ("<script src=http://a.example/x.js></script>", true),
            ("<div style=\"background:url(http://a.example/x.png)\">", true),
            ("<div style='background:URL( \"http://a.example/x.png\")'>", true),
            ("<img data-src=\"http://a.example/x.png\">", true),
            ("<img src=\"https://a.example/x.png\">", false),
            ("<a href=\"http://a.example/\">x</a>", false), ("http://a.example/", false), ("=http://", false),
            ("http://", false), ("", false), ("<img src=https://a.example/?u=http://b.example/>", false),
        ])
    func secure(markup: String, isUnencrypted: Bool) {
        #expect(Markup(markup).loadsUnencrypted == isUnencrypted)
    }
}
