internal import CInih
internal import Configuration

/// One INI file, read by libinih, its sections and keys handed on with the number of their line.
struct IniFile {
    /// What a file holds, in order.
    enum Entry {
        case section(String)
        case assignment(section: String, key: String, value: String)
    }

    /// Where and why a file is refused.
    struct Fault: Error {
        let line: Int
        let message: String
    }

    /// Reads `content`.
    /// - Parameter visit: takes an entry; what it throws is reported with the entry's line.
    static func read(
        _ content: [UInt8], _ visit: (Entry, _ line: Int) throws(ConfigurationFault) -> Void
    ) throws(Fault) {
        let result = withoutActuallyEscaping(visit) { visit in
            adslot_ini_configure(Int32(Limits.configurationLineBytesMax))
            let reader = LineReader(content: content, visit: visit)
            let context = unsafe Unmanaged.passUnretained(reader).toOpaque()
            let status = unsafe ini_parse_stream(
                { space, capacity, context in
                    guard let space = unsafe space, let context = unsafe context else { return nil }
                    let reader = unsafe Unmanaged<LineReader>.fromOpaque(context).takeUnretainedValue()
                    let target = unsafe UnsafeMutableBufferPointer(start: space, count: Int(capacity))
                    return unsafe reader.nextLine(into: target) ? space : nil
                }, context,
                { context, _, key, value in
                    guard let context = unsafe context, let key = unsafe key, let value = unsafe value else {
                        return 0
                    }
                    let reader = unsafe Unmanaged<LineReader>.fromOpaque(context).takeUnretainedValue()
                    return unsafe reader.assign(
                        key: String(cString: key), value: String(cString: value)) ? 1 : 0
                }, context)
            return (status: status, fault: reader.fault)
        }
        if let fault = result.fault { throw fault }
        if result.status > 0 {
            throw Fault(
                line: Int(result.status), message: "expected [Section], Key=value or a comment")
        }
        guard result.status == 0 else { throw Fault(line: 0, message: "not enough memory to read the file") }
    }

    /// Feeds libinih line by line, and so knows the line and the section: the library tells neither in full.
    private final class LineReader {
        private let lines: [ArraySlice<UInt8>]
        private let visit: (Entry, Int) throws(ConfigurationFault) -> Void
        private var line = 0
        private var section = ""
        private(set) var fault: Fault?

        init(content: [UInt8], visit: @escaping (Entry, Int) throws(ConfigurationFault) -> Void) {
            let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let text = content.starts(with: byteOrderMark) ? content.dropFirst(3) : content[...]
            lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            self.visit = visit
        }

        /// Copies the next line, zero-ended, as fgets(3) would.
        func nextLine(into target: UnsafeMutableBufferPointer<CChar>) -> Bool {
            guard fault == nil, line < lines.count else { return false }
            let bytes = lines[line]
            line += 1
            // Room for the line's end and the zero.
            guard bytes.count + 2 <= target.count else {
                refuse("the line is longer than \(target.count - 2) bytes")
                return false
            }
            guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
                refuse("the line is not UTF-8 text")
                return false
            }
            guard noteSection(text) else { return false }
            var index = 0
            for byte in bytes {
                unsafe target[index] = CChar(bitPattern: byte)
                index += 1
            }
            unsafe target[index] = CChar(bitPattern: UInt8(ascii: "\n"))
            unsafe target[index + 1] = 0
            return true
        }

        /// The library says nothing of a section without keys, ends a name at its first bracket (a pattern
        /// may hold more), cuts long names, and passes over what stands behind.
        private func noteSection(_ text: String) -> Bool {
            let bytes = text.utf8.drop(while: Self.isSpace)
            guard bytes.first == UInt8(ascii: "[") else { return true }
            let header = Self.withoutComment(bytes)
            guard let end = header.lastIndex(of: UInt8(ascii: "]")) else {
                refuse("the section's header has no ']' at its end")
                return false
            }
            guard header[end...].dropFirst().allSatisfy(Self.isSpace) else {
                refuse("there is more than a comment behind the section's header")
                return false
            }
            // White space between the words of a header means nothing.
            let words = header[..<end].dropFirst().split(whereSeparator: Self.isSpace)
            section = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            guard section.utf8.count <= Limits.sectionBytesMax else {
                refuse("the section's name is longer than \(Limits.sectionBytesMax) bytes")
                return false
            }
            return pass(.section(section))
        }

        /// What stands before a comment, which begins behind white space.
        private static func withoutComment(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
            var wasSpace = false
            for index in bytes.indices {
                let byte = bytes[index]
                if wasSpace, byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#") { return bytes[..<index] }
                wasSpace = isSpace(byte)
            }
            return bytes
        }

        /// White space after isspace(3), as the library takes it.
        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
        }

        func assign(key: String, value: String) -> Bool {
            guard !section.isEmpty else {
                refuse("'\(key)=' stands before the first [Section]")
                return false
            }
            guard key.utf8.count <= Limits.keyBytesMax else {
                refuse("the key is longer than \(Limits.keyBytesMax) bytes")
                return false
            }
            return pass(.assignment(section: section, key: key, value: value))
        }

        private func pass(_ entry: Entry) -> Bool {
            do throws(ConfigurationFault) {
                try visit(entry, line)
                return true
            } catch {
                refuse(error.description)
                return false
            }
        }

        private func refuse(_ message: String) {
            fault = Fault(line: line, message: message)
        }
    }
}
