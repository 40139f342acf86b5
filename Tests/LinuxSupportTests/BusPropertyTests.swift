import LinuxSupport
import Testing

extension LinuxSupportTests {
    @Suite(
        "A property on the message bus",
        .enabled(if: PrivateBus.isPossible, "there is no dbus-daemon here (package dbus-daemon)"))
    final class BusPropertyTests {
        private let loop: EventLoop
        private let bus: PrivateBus
        private var values: [UInt32?] = []
        private var notices: [BusProperty.Notice] = []
        private var property: BusProperty?

        init() throws {
            loop = try EventLoop()
            bus = try PrivateBus()
        }

        private func follow() throws {
            let made = BusProperty(
                loop: loop,
                name: BusProperty.Name(
                    service: "org.freedesktop.NetworkManager", path: "/org/freedesktop/NetworkManager",
                    interface: "org.freedesktop.NetworkManager", property: "Metered"),
                address: bus.address, onValue: { [unowned self] in values.append($0) },
                onNotice: { [unowned self] in notices.append($0) })
            try made.start()
            property = made
        }

        private func startBus(_ orders: String...) throws {
            try bus.start()
            try bus.startService()
            for order in orders { try bus.tell(order) }
        }

        @Test("The value is read at the start, and again each time it is said to have changed")
        func changes() throws {
            try startBus("quiet 2", "own")
            try follow()
            try loop.turn(until: { values == [2] })
            #expect(notices == [.present])
            for (order, value) in [("metered 1", UInt32(1)), ("metered 4", 4), ("metered 3", 3)] {
                try bus.tell(order)
                try loop.turn(until: { values.last == value })
            }
            #expect(values == [2, 1, 4, 3])
            // Nothing is asked for without a reason, and the same value is no news.
            try bus.tell("metered 3")
            try bus.tell("quiet 0")
            try bus.tell("metered 2")
            try loop.turn(until: { values.last == 2 })
            #expect(values.count <= 6)
            #expect(notices == [.present])
        }

        @Test("A service that is not there is waited for, and so is one that has gone")
        func comesAndGoes() throws {
            try startBus("quiet 1")
            try follow()
            try loop.turn(until: { notices.count == 1 })
            guard case .absent = notices.first else {
                Issue.record("\(notices)")
                return
            }
            #expect(values == [])
            try bus.tell("own")
            try loop.turn(until: { values == [1] })
            try bus.tell("drop")
            try loop.turn(until: { values == [1, nil] })
            try bus.tell("quiet 3")
            try bus.tell("own")
            try loop.turn(until: { values == [1, nil, 3] })
            bus.killService()
            try loop.turn(until: { values == [1, nil, 3, nil] })
            #expect(notices.count == 5, "\(notices)")
        }

        @Test("A bus that is not there is waited for, and one that has gone is connected to again")
        func busComesAndGoes() throws {
            try follow()
            guard case .noBus = notices.first else {
                Issue.record("\(notices)")
                return
            }
            try loop.settle()
            try startBus("quiet 1", "own")
            try loop.turn(until: { values == [1] })
            bus.stop()
            try loop.turn(until: { notices.contains(.disconnected) })
            #expect(values == [1, nil])
            try startBus("quiet 3", "own")
            try loop.turn(until: { values == [1, nil, 3] }, seconds: 20)
        }

        @Test("Waiting for a bus does not keep the loop busy")
        func idleWithoutBus() throws {
            try follow()
            let end = loop.now + 500_000
            var turns = 0
            // The directories on the way to the socket are watched, and others make files there too.
            while loop.now < end {
                if try loop.runOnce(timeout: UInt64(max(1, end - loop.now))) { turns += 1 }
            }
            #expect(turns < 500)
            #expect(notices.count == 1)
        }

        @Test("Following a property that does not change does not wake the loop")
        func idle() throws {
            try startBus("quiet 1", "own")
            try follow()
            try loop.turn(until: { values == [1] })
            try loop.settle()
            #expect(try !loop.runOnce(timeout: 300_000))
        }

        @Test("A property of another type is as good as none")
        func otherType() throws {
            try startBus("text", "own")
            try follow()
            try loop.turn(until: { !notices.isEmpty })
            #expect(notices == [.absent("its Metered is no number")])
            #expect(values == [])
        }

        @Test("A property that is let go is not followed any more, in its own handler even")
        func released() throws {
            try startBus("quiet 1", "own")
            try follow()
            property = nil
            try loop.settle()
            #expect(values == [])
            let made = BusProperty(
                loop: loop,
                name: BusProperty.Name(
                    service: "org.freedesktop.NetworkManager", path: "/org/freedesktop/NetworkManager",
                    interface: "org.freedesktop.NetworkManager", property: "Metered"),
                address: bus.address,
                onValue: { [unowned self] in
                    values.append($0)
                    property = nil
                }, onNotice: { _ in })
            try made.start()
            property = consume made
            try loop.turn(until: { values == [1] })
            try bus.tell("metered 2")
            try loop.settle()
            #expect(values == [1])
        }
    }
}
