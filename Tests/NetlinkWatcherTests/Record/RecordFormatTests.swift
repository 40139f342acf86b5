import LinuxSupport
import Reachability
import Testing

import struct Simulation.SeededGenerator

@testable import NetlinkWatcher

@Suite("The format of a flight record")
struct RecordFormatTests {
    /// A record of everything that there is to record.
    private static let file: [UInt8] = {
        let flight = Flight(FlightRecorder(), seed: 4)
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<12 { flight.doSomething(using: &generator) }
        return flight.file
    }()

    private func error(_ bytes: [UInt8]) -> RecordError? {
        do {
            _ = try Replay(bytes)
            return nil
        } catch {
            return error
        }
    }

    /// A file of so many records whose payloads are given.
    private func file(_ records: [(kind: UInt16, payload: [UInt8])], count: UInt64? = nil) -> [UInt8] {
        var bytes = RecordFormat.header(boottime: 7, realtime: 8)
        let end = (kind: UInt16(15), payload: little(count ?? UInt64(records.count)))
        for record in records + [end] {
            let head =
                little(UInt32(record.payload.count)) + little(record.kind) + little(UInt16(0))
                + little(Int64(5))
            var check = CRC32()
            check.add((head + record.payload)[...])
            bytes += head + little(check.value) + record.payload
        }
        return bytes
    }

    private func little(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<(number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The payload of a snapshot of a model to which nothing has happened.
    private var snapshot: [UInt8] {
        let buffer = RecordBuffer(capacity: 1_000)
        buffer.append(.snapshot, at: 0) { $0.put(ReachabilityModel(settings: ReachabilitySettings())) }
        return Array(buffer.checked.dropFirst(RecordFormat.recordHeaderBytes))
    }

    @Test("CRC-32 gives the standard's check value")
    func check() {
        var check = CRC32()
        check.add(Array("123456789".utf8)[...])
        #expect(check.value == 0xCBF4_3926)
    }

    @Test("A record that was taken once is read for ever, and comes to the same")
    func kept() throws {
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        var replay = try Replay(
            TextFile.read("/\(path)/Fuzz/seeds/record/flap", maximum: Replay.fileBytesMax))
        var told: [String] = []
        while let step = replay.next() {
            switch step.event {
            case .change(.posted(let state)): told.append("posted \(state.text)")
            case .change(.detail(let state)): told.append("detail \(state.text)")
            case .resynchronised(let links): told.append("\(links) links")
            case .lost, .configured, .diverged: told.append("\(step.event)")
            }
        }
        #expect(
            told == [
                "3 links", "posted ethernet over e0 (IPv4), usable",
                "detail ethernet over e0 (IPv4), usable, held", "posted not reachable, noCarrier",
            ])
    }

    @Test("A header is laid out as described")
    func header() {
        let header = RecordFormat.header(boottime: 0x0102, realtime: -2)
        #expect(
            header.dropLast(4)
                == hex(
                    """
                    89 41 44 53 4c 4f 54 0a  # magic
                    01 00  00 00             # 1.0
                    28 00 00 00              # 40 bytes
                    02 01 00 00 00 00 00 00  # boottime
                    fe ff ff ff ff ff ff ff  # realtime
                    04 03 02 01              # little-endian machine
                    """)[...])
    }

    @Test("A record is laid out as described, and messages lose what is long and decides nothing")
    func layout() throws {
        let buffer = RecordBuffer(capacity: 2_000)
        unsafe LinkFixtures.ethernet.withUnsafeBytes { bytes in
            unsafe RawMessage.forEach(in: bytes) { message in
                buffer.append(.message, at: 0x1122) { $0.put(message) }
            }
        }
        let bytes = buffer.checked
        #expect(
            Array(bytes[..<16]) == little(UInt32(bytes.count - 20))
                + hex("02 00 00 00 22 11 00 00 00 00 00 00"))
        #expect(MessageDecoder.decode(Array(bytes[20...])) == MessageDecoder.decode(LinkFixtures.ethernet))

        let link = Link(index: 7, name: "eth7", operationalState: .up)
        let message = MessageBuilder.link(link)
        buffer.clear()
        unsafe message.withUnsafeBytes { bytes in
            unsafe RawMessage.forEach(in: bytes) { message in
                buffer.append(.message, at: 0) { $0.put(message) }
            }
        }
        #expect(buffer.count == 20 + message.count - 204)
        #expect(MessageDecoder.decode(Array(buffer.checked[20...])) == [.link(link)])
    }

    @Test("All messages mean the same when their record is read")
    func fixtures() {
        for fixture in LinkFixtures.all + AddressFixtures.all + RouteFixtures.all {
            let buffer = RecordBuffer(capacity: 4_000)
            unsafe fixture.withUnsafeBytes { bytes in
                unsafe RawMessage.forEach(in: bytes) { message in
                    buffer.append(.message, at: 0) { $0.put(message) }
                }
            }
            let facts = MessageDecoder.decode(Array(buffer.checked.dropFirst(20)))
            #expect(facts == MessageDecoder.decode(fixture))
        }
    }

    @Test("A file that ends anywhere too early is refused with the place")
    func truncated() {
        for length in 0..<Self.file.count where length < 200 || length % 7 == 0 {
            guard let error = error(Array(Self.file[..<length])) else {
                Issue.record("cut to \(length) bytes it is accepted")
                return
            }
            guard error.reason == .truncated, error.offset <= length else {
                Issue.record("cut to \(length) bytes: \(error)")
                return
            }
        }
        #expect(error(Self.file) == nil)
        #expect(error([]) == RecordError(.truncated, at: 0))
    }

    @Test("A file in which any one bit is another is refused")
    func flipped() {
        var generator = SeededGenerator(seed: 1)
        for index in Self.file.indices where index < 200 || index % 9 == 0 {
            var bytes = Self.file
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            guard error(bytes) != nil else {
                Issue.record("byte \(index) can be another")
                return
            }
        }
    }

    @Test("Foreign, later, foreign machines', too long and lengthened files are refused for what they are")
    func refused() {
        #expect(error(Array("PNG or something else".utf8)) == RecordError(.foreign, at: 0))
        #expect(error(Self.file + [0]) == RecordError(.trailingBytes, at: Self.file.count))
        var bytes = Self.file
        bytes[8] = 2
        #expect(error(bytes) == RecordError(.version(2), at: 8))
        var header = Self.file[..<36]
        header.replaceSubrange(32..<36, with: [1, 2, 3, 4])
        var check = CRC32()
        check.add(header)
        #expect(
            error(header + little(check.value) + Self.file[40...]) == RecordError(.byteOrder, at: 32))
        #expect(
            error([UInt8](repeating: 0, count: Replay.fileBytesMax + 1))
                == RecordError(.tooLong, at: Replay.fileBytesMax))
        #expect(
            error(file([(1, snapshot)], count: 2))
                == RecordError(.impossible("another number of records"), at: 60 + snapshot.count))
    }

    @Test("What a later minor version adds is skipped, unless the replay would go wrong without it")
    func forwardCompatible() throws {
        #expect(error(file([(1, snapshot), (0x8123, [1, 2, 3]), (9, [])])) == nil)
        #expect(
            error(file([(1, snapshot), (0x123, [1, 2, 3])]))
                == RecordError(.unknownKind(0x123), at: 60 + snapshot.count))
        // Longer payloads.
        #expect(error(file([(1, snapshot + [9, 9]), (9, [1]), (10, [7, 7])])) == nil)
        // A longer header.
        var header = Self.file[..<36] + [1, 2, 3, 4]
        header[10] = 1
        header[12] = 44
        var check = CRC32()
        check.add(header)
        #expect(error(header + little(check.value) + Self.file[40...]) == nil)
    }

    @Test(
        "Payloads that say something impossible are refused with the place",
        arguments: [
            (3, [1, 0, 0]), (8, [5]), (8, [4, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 9]), (16, [1, 0, 0, 0, 0]),
            (12, [1]),
            (12, [1, 0, 0, 0, 1, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0, 0, 1, 120, 255, 255, 0]), (11, [1, 2]),
            (1, [0, 0]),
        ] as [(UInt16, [UInt8])])
    func impossible(kind: UInt16, payload: [UInt8]) throws {
        let refusal = try #require(error(file([(1, snapshot), (kind, payload)])))
        #expect(refusal.offset >= 60 + snapshot.count)
    }

    @Test("Numbers at their ends are refused where a sum of them would be none")
    func extremes() throws {
        var bytes = Self.file
        bytes.replaceSubrange(16..<32, with: little(-(Int64(1) << 62)) + little(Int64(1) << 62))
        RecordChecks.repair(&bytes)
        #expect(error(bytes) == RecordError(.impossible("its time"), at: 16))
        // The first settings of a snapshot begin with LossHold=, behind two headers and a length.
        for (seconds, attoseconds) in [(Int64.max, Int64.max), (0, .max), (.min, .min), (.max, 0)] {
            bytes = Self.file
            bytes.replaceSubrange(64..<80, with: little(seconds) + little(attoseconds))
            RecordChecks.repair(&bytes)
            #expect(error(bytes) == RecordError(.impossible("a duration of \(seconds) s"), at: 64))
        }
        // The largest numbers that are taken can be reckoned with.
        bytes = Self.file
        let longest = little(RecordFormat.seconds.upperBound) + little(Int64(999_999_999_999_999_999))
        for place in stride(from: 64, to: 128, by: 16) {
            bytes.replaceSubrange(place..<(place + 16), with: longest)
        }
        bytes.replaceSubrange(
            16..<32, with: little(RecordFormat.times.lowerBound) + little(RecordFormat.times.upperBound))
        RecordChecks.repair(&bytes)
        var replay = try Replay(bytes)
        while let step = replay.next() { _ = step.instant.microseconds + replay.realtimeOffset }
    }

    @Test("Links, addresses and settings come back as they were", arguments: 0..<200)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let buffer = RecordBuffer(capacity: 4_000)
        var link = Flight.link(Int.random(in: 1...8, using: &generator), &generator)
        link.deviceType = [nil, "", "wlan"].randomElement(using: &generator) ?? nil
        link.isWireless = Bool.random(using: &generator)
        link.remoteEndpoint =
            [nil, IPAddress("192.0.2.9"), IPAddress("2001:db8::9")].randomElement(using: &generator) ?? nil
        link.name = ["wl0", "ü", "", "a name"].randomElement(using: &generator) ?? ""
        let address = Flight.address(3, &generator)
        let settings = Flight.settings(&generator)
        buffer.append(.link, at: 0) { buffer in
            buffer.put(link)
            buffer.put(address)
            buffer.put(settings)
        }
        var cursor = ByteCursor(buffer.checked[20...])
        #expect(try cursor.link() == link)
        #expect(try cursor.linkAddress() == address)
        #expect(Flight.withoutURL(try cursor.settings()) == Flight.withoutURL(settings))
        #expect(cursor.isAtEnd)
    }
}

@Suite("What a flight record leaves out")
struct RecordSecretTests {
    @Test("The URL of the check, which may hold a password, is not in it; another one still is another")
    func url() throws {
        var settings = ReachabilitySettings(
            connectivity: ConnectivitySettings(url: "http://user:secret@portal.example/"))
        let flight = Flight(FlightRecorder(), settings: settings)
        flight.judge()
        let first = try Replay(flight.file).model.settings.connectivity
        #expect(!String(decoding: flight.file, as: UTF8.self).contains("secret"))
        settings.connectivity.url = "http://user:other@portal.example/"
        flight.configure(settings)
        var replay = try Replay(flight.file)
        while replay.next() != nil {}
        #expect(replay.model.settings.connectivity.url != first.url)
        #expect(!String(decoding: flight.file, as: UTF8.self).contains("portal.example"))
    }
}

@Suite("No bytes harm the reader of flight records")
struct RecordMutationTests {
    @Test(
        "Records with right checks and wrong contents are read or refused, and can be played",
        arguments: 1...8)
    func survives(seed: UInt64) throws {
        let flight = Flight(FlightRecorder(), seed: seed)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 { flight.doSomething(using: &generator) }
        let file = flight.file
        var accepted = 0
        for _ in 0..<150 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 40..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                default: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
                }
            }
            RecordChecks.repair(&bytes)
            guard var replay = try? Replay(bytes) else { continue }
            accepted += 1
            while let step = replay.next() { _ = step }
        }
        #expect(accepted > 20, "most of the damage leaves a file readable")
    }
}
