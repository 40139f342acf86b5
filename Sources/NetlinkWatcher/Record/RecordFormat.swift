/// The format of a flight record, as `adslotctl record` writes it.
///
/// All numbers are little-endian. A file is a header, then records, the last of which is `end`:
///
///     header   8 bytes  magic: 89 41 44 53 4C 4F 54 0A (0x89 "ADSLOT" newline)
///              u16      major version, 1
///              u16      minor version, 0
///              u32      length of the whole header, 40 or more
///              i64      CLOCK_BOOTTIME when the record was taken, in microseconds
///              i64      CLOCK_REALTIME at the same moment, in microseconds since the Unix epoch
///              u32      0x01020304 in the byte order of the machine: that of the netlink messages
///              u32      at the header's end: CRC-32 (IEEE 802.3) of the header before this field
///
///     record   u32      length of the payload
///              u16      kind
///              u16      0
///              i64      CLOCK_BOOTTIME of what happened, in microseconds
///              u32      CRC-32 of the 16 bytes before this field and of the payload
///              …        payload
///
/// The kinds, with their payloads (`str8` is a u8 length and so many bytes of UTF-8, `str8?` has the length
/// 255 for nothing, `address` a u8 length of 0, 4 or 16 and so many bytes in network order; `[n]` repeats):
///
///      1 snapshot   u32 length and the settings (as in 11); u32 length and the memory: u8 flags (1 posted,
///                   2 pending, 4 penalty, 8 the penalty suppresses), i64 the latest moment, then what the
///                   flags say: posted is a judgement, u8 held, i64 sequence, i64 since; pending a judgement
///                   and i64 since; penalty the bits of a double and i64 of the last loss. In the memory
///                   follow a target (as in 17), u8 flags (1 metered, 2 kernel), with the latter the kernel's
///                   judgement, and the check for portals: i64 questions so far, i64 latest moment, i64
///                   latest question, u8 phase (0 no path, 1 asking, 2 resting, 3 waiting); with a path
///                   i64 end or beginning of that phase, u32 index of the interface, tunnel as str8?, u8
///                   captive portal, u16 failures, u8 whether there is a pause, i64 and i64 of it. After the
///                   memory u32 count
///                   and [u16 length and a link (as in 12)], u32 count and [u16 length and an address:
///                   u32 index of the link, address, u8 prefix length, u8 flags (1 tentative, 2 optimistic,
///                   4 duplicate, 8 deprecated)].
///                   A judgement is u8 flags (1 connection required, 2 expensive, 4 IPv4, 8 IPv6), the words
///                   for status and reason as str8, interface and tunnel as str8?, u32 index of the
///                   interface, u8 captive portal (0 no, 1 yes, 255 not known).
///      2 message    a netlink message of the event socket, applied
///      3 findings   u32 index of a link, u8 flags (1 wireless), DEVTYPE as str8?: what every later message
///                   about the link is completed by
///      4 dump       the lists are read from here on, or begun again
///      5 dumped     a netlink message of a list
///      6 dumpEnd    the lists are complete and stand in the place of the network
///      7 lost       the kernel dropped messages; those that still wait are not applied
///      8 lookup     address of the destination, u32 index of the link asked for or 0, u32 mark, u8 answer
///                   (0 a link, 1 rejected, 2 loopback, 3 no route), u32 index of the link, u32 metric
///      9 judged     the network was judged at the record's time, by the lookups and far ends since the last
///     10 timer      a hold's timer fired at the record's time
///     11 settings   i64 and i64 (seconds, attoseconds) each of LossHold=, GainHold=, DampHalfLife= and
///                   DampMax=, u16 count and [address] of LookupAddresses=, u16 count and [u16 length, str8
///                   pattern, str8? kind, u8 metered, u8 onDemand (0 no, 1 yes, 255 not set)] of the
///                   `[Link …]` sections, str8? Target=, u8 flags (1 NetworkManagerMetered=, 2 there is a
///                   ConnectivityCheck=), and with a check u32 CRC-32 of its URL, u16 ConnectivityStatus=,
///                   u16 length and ConnectivityText=, i64 and i64 each of ConnectivityInterval= and
///                   ConnectivityTimeout=
///     12 link       u32 index, u16 hardware type, u8 flags (1 administratively up, 2 carrier, 4 link-layer
///                   address, 8 wireless), u8 operational state, u32 index of the lower link, u32 of the
///                   controller (0 for none), str8 name, str8? IFLA_INFO_KIND, str8? DEVTYPE, address of the
///                   far end: a link as told by another way than a message
///     13 cut        something did not fit and is missing here; a snapshot follows
///     14 overgrown  a snapshot is missing here because the network is too large for the recorder
///     15 end        u64 number of records before this one
///     16 farEnd     u32 index of a tunnel, address of a destination, address of the far end for it or
///                   nothing, u32 mark
///     17 target     what is judged from now on: u8 0 nothing yet, 1 the internet, 2 a host with u16 count
///                   and [address], 3 a host that has none
///     18 answer     i64 number of a question about captive portals; u16 status, or 0 for no answer; with a
///                   status u16 length and the beginning of the body
///     19 metered    u8 0 or 1: what NetworkManager says of the cost
///
/// Netlink messages stand as they came, but for attributes of links that decide nothing and are long:
/// statistics, the settings of IP, memory maps and virtual functions. A snapshot stands at the beginning, and
/// wherever the recorder has begun anew; where it has not been cut, a replay must have come to the same state
/// by itself. A last snapshot says how the daemon itself stood when the record was taken.
///
/// For other versions: a reader refuses another major version. A minor version may add kinds, and fields
/// before the check of the header and at the end of a payload or of what has a length of its own; older
/// readers skip such fields, newer ones do without. A kind with the highest bit set may be skipped by those
/// who do not know it; any other unknown kind must be refused, since the replay would go wrong.
enum RecordFormat {
    static let magic: [UInt8] = [0x89] + Array("ADSLOT\n".utf8)
    static let major: UInt16 = 1
    static let minor: UInt16 = 0
    static let headerBytes = 40
    static let recordHeaderBytes = 20
    static let byteOrderMark: UInt32 = 0x0102_0304
    /// Set in kinds that a reader may skip.
    static let optionalBit: UInt16 = 0x8000

    /// The moments that are taken for possible: about 36,000 years around a clock's beginning. The sum of
    /// three of them still is a number.
    static let times = -(Int64(1) << 60)...(Int64(1) << 60)
    /// The seconds of a duration that are taken for possible.
    static let seconds = -(Int64(1) << 40)...(Int64(1) << 40)
    /// The sequence numbers that are taken for possible.
    static let sequences = Int64(1)...(Int64(1) << 53)

    enum Kind: UInt16 {
        case snapshot = 1
        case message = 2
        case findings = 3
        case dump = 4
        case dumped = 5
        case dumpEnd = 6
        case lost = 7
        case lookup = 8
        case judged = 9
        case timer = 10
        case settings = 11
        case link = 12
        case cut = 13
        case overgrown = 14
        case end = 15
        case farEnd = 16
        case target = 17
        case answer = 18
        case metered = 19
    }

    /// The length of a `str8?` that stands for nothing.
    static let noText: UInt8 = 255
}

/// CRC-32 as in IEEE 802.3 and zlib.
package struct CRC32 {
    private var register: UInt32 = ~0

    /// Begins with nothing added.
    package init() {}

    /// The checksum of what has been added.
    package var value: UInt32 { ~register }

    /// Adds bytes behind those before them.
    package mutating func add(_ bytes: ArraySlice<UInt8>) {
        let table = Self.table
        for byte in bytes {
            register = table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] ^ (register >> 8)
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        return value
    }
}
