import Testing

@testable import HTTPClient

@Suite("Retry-After")
struct RetryAfterTests {
    private static let now: Int64 = 1_700_000_000

    private func pause(_ value: String?, date: String? = nil) -> Duration? {
        var response = HTTPResponse(status: 503, headers: [], body: [], isCut: false)
        if let value { response.headers.append(HTTPHeader("retry-after", value)) }
        if let date { response.headers.append(HTTPHeader("Date", date)) }
        return response.retryAfter(now: Self.now)
    }

    @Test(
        "Seconds, or a date that is compared with the present",
        arguments: [
            ("0", 0), ("120", 120), ("86400", 86_400), ("99999999999999999999", 86_400),
            ("Tue, 14 Nov 2023 22:13:50 GMT", 30), ("Tue, 14 Nov 2023 22:13:20 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ])
    func read(value: String, seconds: Int64) {
        #expect(pause(value) == .seconds(seconds))
    }

    @Test("A date is compared with the server's own clock where that is known")
    func ownClock() {
        #expect(
            pause("Thu, 01 Jan 1970 00:01:00 GMT", date: "Thu, 01 Jan 1970 00:00:30 GMT") == .seconds(30))
        #expect(pause("Tue, 14 Nov 2023 22:13:50 GMT", date: "yesterday") == .seconds(30))
    }

    @Test(
        "What cannot be read is none",
        arguments: [
            nil, "", " ", "-1", "+1", "1.5", "soon", "1 s", "Tue, 14 Nov 2023 22:13:50", "14 Nov 2023",
            "Tuesday, 14-Nov-23 22:13:50 GMT", "Tue Nov 14 22:13:50 2023", "Tue, 32 Nov 2023 22:13:50 GMT",
            "Tue, 14 nov 2023 22:13:50 GMT", "Tue, 14 Nov 2023 24:00:00 GMT", "Tue, 4 Nov 2023 22:13:50 GMT",
            "Tue, 14 Nov 2023 22:13:50 CET", "Tue, 14 Nov 0000 22:13:50 GMT",
            "Tue, 14 Nov 2023  22:13:50 GMT",
        ] as [String?])
    func unreadable(value: String?) {
        #expect(pause(value) == nil)
    }

    @Test(
        "Days are counted over leap years and centuries",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Sun, 28 Feb 2100 00:00:00 GMT", 4_107_456_000),
            ("Mon, 30 Nov 2026 12:00:00 GMT", 1_796_040_000), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ])
    func days(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text) == seconds)
    }
}
