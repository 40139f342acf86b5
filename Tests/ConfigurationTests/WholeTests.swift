import AdSlots
import Reachability
import Testing

@testable import Configuration

@Suite("The whole configuration")
struct WholeTests {
    @Test("Without any file it is the contract's table")
    func contract() throws {
        let made = try ConfigurationBuilder().finish()
        #expect(made == Configuration())

        #expect(made.reachability.lossHold == .milliseconds(1500))
        #expect(made.reachability.gainHold == .milliseconds(250))
        #expect(made.reachability.dampHalfLife == .seconds(15))
        #expect(made.reachability.dampMax == .seconds(60))
        #expect(made.reachability.lookupAddresses.map(\.description) == ["1.1.1.1", "2606:4700:4700::1111"])
        #expect(made.reachability.linkRules.isEmpty)
        #expect(made.reachability.connectivity == ConnectivitySettings())
        #expect(!made.reachability.followsNetworkManager)

        try #require(made.coordinator.slots.count == 1)
        let slot = made.coordinator.slots[0]
        #expect(slot.name == "banner")
        #expect(slot.placement == .bottom)
        #expect(slot.sources == [SourceReference(name: "test", isNetwork: true)])
        #expect(
            slot.sizes.map(\.description)
                == ["320x50", "480x32", "728x90", "768x66", "1024x66", "300x50", "468x60", "970x90"])
        #expect(slot.refreshInterval == .seconds(180))
        #expect(slot.retryInterval == .seconds(30))
        #expect(slot.retryMax == .seconds(600))
        #expect(slot.minimumInterval == .seconds(5))
        #expect(slot.minimumView == .seconds(1))
        #expect(slot.whenUnreachable == .release)
        #expect(slot.requestTimeout == .seconds(10))

        #expect(made.coordinator.pauseTimeout == .milliseconds(500))
        #expect(made.coordinator.actionTimeout == .seconds(300))
        #expect(made.hostGroup == "adslotd")
        #expect(made.sources == [SourceSettings(name: "test")])
        #expect(made.sources[0].kind == .test)
        #expect(made.sources[0].test.delay == .milliseconds(50))
    }

    @Test("Writing the defaults out changes nothing")
    func writtenOut() throws {
        let settings = allKeys.filter { $0.defaultText != "nil" }
        var builder = ConfigurationBuilder()
        for key in settings { try builder.set(key.key, to: key.defaultText, in: key.section) }
        #expect(try builder.finish() == Configuration())
    }

    @Test("A source that no section makes is refused with the section and key that name it")
    func undefinedSource() throws {
        let fault = try #require(
            try crossFault(
                Setting("Slot lobby", "Sources", "test partner"), Setting("Source test", "Delay", "1s")))
        #expect(fault.section == "Slot lobby")
        #expect(fault.key == "Sources")
        #expect(fault.fault.description == "source 'partner' has no [Source partner] section")
    }

    @Test("The default source is there only while no section makes another")
    func defaultSource() throws {
        #expect(try crossFault(Setting("Slot lobby", "Sources", "test")) == nil)
        let named = try #require(
            try crossFault(Setting("Slot lobby", "Placement", "top"), Setting("Source own", "Delay", "1s")))
        #expect(named.section == "Slot lobby")
        let unnamed = try #require(try crossFault(Setting("Source own", "Delay", "1s")))
        #expect(unnamed.section == "Slot banner")
        #expect(unnamed.key == "Sources")
        #expect(unnamed.fault.description == "source 'test' has no [Source test] section")
    }

    @Test("A text that no response of that status can have is refused, where there is a check")
    func textWithoutBody() throws {
        let url = Setting("Reachability", "ConnectivityCheck", "http://example.org/")
        let text = Setting("Reachability", "ConnectivityText", "online")
        let fault = try #require(try crossFault(text, url))
        #expect(fault.section == "Reachability")
        #expect(fault.key == "ConnectivityText")
        #expect(fault.fault.description == "a response of status 204 has no text: set ConnectivityStatus=200")
        #expect(try crossFault(text, url, Setting("Reachability", "ConnectivityStatus", "304")) != nil)
        #expect(try crossFault(text, url, Setting("Reachability", "ConnectivityStatus", "200")) == nil)
        #expect(try crossFault(text) == nil)
    }

    @Test("A retry that begins later than it may ever come is refused")
    func retryOrder() throws {
        let fault = try #require(
            try crossFault(
                Setting("Slot lobby", "RetryInterval", "20min"),
                Setting("Slot lobby", "RefreshInterval", "60s")))
        #expect(fault.section == "Slot lobby")
        #expect(fault.key == "RetryInterval")
        #expect(fault.fault.description.contains("longer than RetryMax="))
        #expect(try crossFault(Setting("Slot lobby", "RetryMax", "29s")) != nil)
        #expect(try crossFault(Setting("Slot lobby", "RetryMax", "30s")) == nil)
        // Only the end counts, so the order in which the two are raised does not.
        #expect(
            try crossFault(Setting("Slot a", "RetryInterval", "1h"), Setting("Slot a", "RetryMax", "2h"))
                == nil)
    }
}
