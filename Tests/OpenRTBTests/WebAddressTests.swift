import OpenRTB
import Testing

@Suite("URLs that may be called")
struct WebAddressTests {
    @Test(
        "The web's are",
        arguments: [
            "http://a", "https://a.example/b?c=d#e", "HTTP://A.EXAMPLE", "https://[2001:db8::1]:8080/x",
            "https://a.example:443", "https://a.example/%20?u=https://b.example/",
        ])
    func accepted(url: String) {
        #expect(WebAddress.isAcceptable(url))
    }

    @Test(
        "Everything else is not",
        arguments: [
            "", "a.example", "//a.example/", "javascript:alert(1)", "JavaScript://a.example/%0aalert(1)",
            "data:text/html,x", "file:///etc/passwd", "ftp://a.example/", "intent://a.example/#Intent;end",
            "market://details?id=x", "tel:1", "mailto:a@b.example", "blob:https://a.example/1", "about:blank",
            "http:/a.example", "http:a.example", "https://", "https:///x", "https://:80/", "https://?x",
            "https://user@a.example/", "https://user:secret@a.example/", "https://a.example\\@b.example/",
            "https://a.example/\"",
            "https://a.example/<b>",
            "https://a .example/", " https://a.example/", "https://a.example/\n", "https://a.example/\u{0}",
            "https://ä.example/", "https://a.example/ä", "https://a%2eexample/", "https://${X}.example/",
            "https://a.example/" + String(repeating: "x", count: 4_096),
        ])
    func refused(url: String) {
        #expect(!WebAddress.isAcceptable(url))
    }
}
