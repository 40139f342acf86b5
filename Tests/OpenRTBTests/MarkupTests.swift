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
            ("<img srcset=\"https://a.example/1.png 1x, http://a.example/2.png 2x\">", true),
            ("<img srcset='https://a.example/1.png,http://a.example/2.png 2x'>", true),
            ("<video poster=\"http://a.example/p.png\"></video>", true),
            ("<object data=http://a.example/o></object>", true),
            ("<link rel=stylesheet href=\"http://a.example/s.css\">", true),
            ("<style>@import \"http://a.example/s.css\";</style>", true),
            ("<style>p { background: url(http://a.example/p.png) }</style>", true),
            ("<style>/* http://a.example/ */</style>", false),
            ("<svg><image href=\"http://a.example/i.png\"/></svg>", true),
            ("<svg xmlns=\"http://www.w3.org/2000/svg\"><a xlink:href='http://a.example/'/></svg>", false),
            ("<img src=\"&#104;ttp://a.example/\">", true),
            ("<img src='ht&#x74;p&colon;//a.example/'>", true),
            ("<img src=\"ht\ntp://a.example/\">", true), ("<img src='ws://a.example/'>", true),
            ("<a href='https://a.example' ping='http://a.example/'>x</a>", true),
            ("<meta http-equiv=refresh content='0;url=http://a.example/'>", true),
            ("<script>document.write('<img src=\"http://a.example/p.png\">')</script>", true),
            ("<script>var click = \"http://a.example/\";</script>", false),
            ("<a onclick=\"window.open('http://a.example/')\" href='#'>x</a>", false),
            ("<form action=\"http://a.example/\" title='http://a.example/'></form>", false),
            ("<!-- <img src='http://a.example/'> --><p>x</p>", false), ("<img src='http://a.example/", true),
            ("<", false), ("<a", false), ("<a =", false), ("<style", false), ("<script><", false),
        ])
    func secure(markup: String, isUnencrypted: Bool) {
        #expect(Markup(markup).loadsUnencrypted == isUnencrypted)
    }
}
