import JSON
import OpenRTB
import Testing

@Suite("Requests")
struct RequestTests {
    private func json(_ request: BidRequest) -> String {
        String(decoding: request.encoded, as: UTF8.self)
    }

    @Test("Nothing is sent that was not configured")
    func bare() throws {
        let request = try Exchange.request()
        #expect(
            json(request) == """
                {"id":"auction1","imp":[{"id":"1","banner":{"format":[{"w":320,"h":50}],"w":320,"h":50,\
                "mimes":["text/html"],"topframe":0},"instl":0,"tagid":"banner","bidfloorcur":"USD",\
                "secure":1}],\
                "device":{"connectiontype":2},"at":1,"tmax":1900,"cur":["USD"]}
                """)
    }

    @Test("Everything that was configured is sent, where the specification wants it")
    func whole() throws {
        let request = try Exchange.request { settings in
            settings.floor = Price("0.35") ?? .zero
            settings.currency = "EUR"
            settings.expirySeconds = 600
            settings.tagID = "lobby-1"
            settings.position = 5
            settings.isInTopFrame = true
            settings.isSecure = false
            settings.isTest = true
            settings.inventory = DemandSettings.Inventory(kind: .dooh)
            settings.inventory?.id = "screen9"
            settings.inventory?.name = "Lobby"
            settings.inventory?.domain = "station.example"
            settings.inventory?.venueTypes = ["transit.airports"]
            settings.publisher.id = "p1"
            settings.publisher.name = "Pub"
            settings.publisher.domain = "pub.example"
            settings.quantity = DemandSettings.Quantity(multiplier: Price("14.2") ?? .zero)
            settings.quantity?.sourceType = 1
            settings.quantity?.vendor = "count.example"
            settings.privacy.coppa = false
            settings.privacy.gdpr = true
            settings.privacy.consent = "CPXX"
            settings.privacy.usPrivacy = "1YNN"
            settings.privacy.gpp = "DBAA"
            settings.privacy.gppSections = [2, 6]
            settings.privacy.limitsTracking = true
            settings.privacy.doesNotTrack = false
            settings.device.type = 8
            settings.device.userAgent = "Kiosk/1"
            settings.device.language = "de"
            settings.device.screen = Format(width: 1920, height: 1080)
            settings.device.location = DemandSettings.Location(latitude: "52.52", longitude: "-13.4")
            settings.device.country = "DEU"
            settings.device.identifier = "0000-1"
            settings.blocks.categories = ["IAB25"]
            settings.blocks.taxonomy = 1
            settings.blocks.domains = ["rival.example"]
            settings.blocks.apps = ["com.rival"]
            settings.blocks.attributes = [1, 6]
            settings.blocks.types = [4]
        }
        #expect(
            json(request) == """
                {"id":"auction1","imp":[{"id":"1","banner":{"format":[{"w":320,"h":50}],"w":320,"h":50,\
                "pos":5,\
                "mimes":["text/html"],"btype":[4],"battr":[1,6],"topframe":1},"instl":0,"tagid":"lobby-1",\
                "bidfloor":0.35,"bidfloorcur":"EUR","secure":0,"exp":600,"qty":{"multiplier":14.2,\
                "sourcetype":1,"vendor":"count.example"},"dt":1700000000000}],"dooh":{"id":"screen9",\
                "name":"Lobby","domain":"station.example","venuetype":["transit.airports"],"publisher":\
                {"id":"p1","name":"Pub","domain":"pub.example"}},"device":{"ua":"Kiosk/1","geo":{"lat":52.52,\
                "lon":-13.4,"type":3,"country":"DEU"},"dnt":0,"lmt":1,"devicetype":8,"w":1920,"h":1080,\
                "language":"de","connectiontype":2,"ifa":"0000-1"},"user":{"consent":"CPXX"},"test":1,"at":1,\
                "tmax":1900,"cur":["EUR"],"bcat":["IAB25"],"cattax":1,"badv":["rival.example"],\
                "bapp":["com.rival"],"regs":{"coppa":0,"gdpr":1,"us_privacy":"1YNN","gpp":"DBAA",\
                "gpp_sid":[2,6]}}
                """)
        #expect(try JSONValue(reading: request.encoded)["imp"]?[0]?["bidfloor"]?.double == 0.35)
    }

    @Test("A website and an app say what they have of their own")
    func inventories() throws {
        let site = try Exchange.request { settings in
            settings.inventory = DemandSettings.Inventory(kind: .site)
            settings.inventory?.page = "https://a.example/p"
        }
        #expect(json(site).contains(#""site":{"page":"https://a.example/p"}"#))
        let app = try Exchange.request { settings in
            settings.inventory = DemandSettings.Inventory(kind: .app)
            settings.inventory?.bundle = "com.a"
            settings.inventory?.storeURL = "https://store.example/a"
        }
        #expect(json(app).contains(#""app":{"bundle":"com.a","storeurl":"https://store.example/a"}"#))
        for request in [site, app] { #expect(!json(request).contains(#""dt""#)) }
    }

    @Test(
        "The connection is named by AdCOM's numbers",
        arguments: [(ConnectionType.unknown, 0), (.ethernet, 1), (.wifi, 2), (.cellular, 3)])
    func connection(type: ConnectionType, number: Int) throws {
        let request = try #require(
            BidRequest(
                id: "a", settings: Exchange.settings(), slot: "s", format: Format(width: 1, height: 1),
                connection: type, timeLeft: .seconds(1), now: 0))
        #expect(json(request).contains(#""device":{"connectiontype":\#(number)}"#))
    }

    @Test(
        "The time left is told without our own overhead (prebid-server#592), and not asked for where none is")
    func time() throws {
        func milliseconds(_ left: Duration, overhead: Duration) -> Int? {
            BidRequest(
                id: "a", settings: Exchange.settings { $0.overhead = overhead }, slot: "s",
                format: Format(width: 1, height: 1), connection: .wifi, timeLeft: left, now: 0
            )?.timeMilliseconds
        }
        #expect(milliseconds(.seconds(10), overhead: .milliseconds(100)) == 9_900)
        #expect(milliseconds(.milliseconds(101), overhead: .milliseconds(100)) == 1)
        #expect(milliseconds(.milliseconds(100), overhead: .milliseconds(100)) == nil)
        #expect(milliseconds(.seconds(-1), overhead: .zero) == nil)
    }
}
