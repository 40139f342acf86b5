/// Strings and numbers of the reader (RFC 8259, sections 6 and 7).
extension JSONReader {
    /// Reads a string whose opening quotation mark is at the position.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        position += 1
        let start = position
        try skipPlain(bytes)
        if bytes[position] == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(bytes.extracting(start..<position), at: start)
        }
        return try escapedString(bytes, from: start)
    }

    /// Moves to the next quotation mark or backslash.
    private mutating func skipPlain(_ bytes: Span<UInt8>) throws(JSONError) {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            if byte < 0x20 { throw JSONError(.controlCharacter, at: position) }
            position += 1
        }
        throw JSONError(.unexpectedEnd, at: position)
    }

    private func text(_ bytes: Span<UInt8>, at start: Int) throws(JSONError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw JSONError(.invalidUTF8, at: start + error.byteOffsets.lowerBound)
        }
    }

    /// The slow way, once a backslash has been seen at the position. Each plain run is checked by itself:
    /// an escape cannot stand within a UTF-8 sequence.
    private mutating func escapedString(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) -> String {
        var result = try text(bytes.extracting(start..<position), at: start)
        while bytes[position] == UInt8(ascii: "\\") {
            position += 1
            result.unicodeScalars.append(try escape(bytes))
            let runStart = position
            try skipPlain(bytes)
            result += try text(bytes.extracting(runStart..<position), at: runStart)
        }
        position += 1
        return result
    }

    /// Reads what stands after a backslash.
    private mutating func escape(_ bytes: Span<UInt8>) throws(JSONError) -> Unicode.Scalar {
        let letter = try peek(bytes)
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(bytes)
        default: throw JSONError(.invalidEscape, at: position - 1)
        }
    }

    /// Reads what stands after `\u`, and the second half of a surrogate pair.
    private mutating func unicodeEscape(_ bytes: Span<UInt8>) throws(JSONError) -> Unicode.Scalar {
        let start = position
        let unit = try fourDigits(bytes)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard try peek(bytes) == expected else { throw JSONError(.loneSurrogate, at: start) }
            position += 1
        }
        let second = try fourDigits(bytes)
        // A second half that comes first leads beyond the last scalar.
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
        else { throw JSONError(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func fourDigits(_ bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try peek(bytes))).hexDigitValue else {
                throw JSONError(.invalidEscape, at: position)
            }
            value = value << 4 + UInt32(digit)
            position += 1
        }
        return value
    }

    /// Reads a number: an integer when it has neither fraction nor exponent and fits, else a double.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        let start = position
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let integer = try integerPart(bytes, isNegative: isNegative)
        let isWhole = try !fractionAndExponent(bytes)
        if isWhole, let integer { return .integer(integer) }
        let text = try text(bytes.extracting(start..<position), at: start)
        guard let double = Double(text), double.isFinite else {
            throw JSONError(.numberOutOfRange, at: start)
        }
        return .double(double)
    }

    /// Reads digits; `nil` when an `Int64` does not hold them.
    private mutating func integerPart(
        _ bytes: Span<UInt8>, isNegative: Bool
    ) throws(JSONError) -> Int64? {
        let start = position
        var value: Int64? = 0
        while let digit = digit(bytes) {
            // Counted downwards, since the least Int64 has no positive counterpart.
            value = value.flatMap { value in
                let (product, overflow) = value.multipliedReportingOverflow(by: 10)
                let (sum, carry) = product.subtractingReportingOverflow(Int64(digit))
                return overflow || carry ? nil : sum
            }
            position += 1
        }
        guard position > start else { throw missingDigit(bytes) }
        guard bytes[start] != UInt8(ascii: "0") || position == start + 1 else {
            throw JSONError(.invalidNumber, at: start)
        }
        guard let value, !isNegative else { return value }
        return value == .min ? nil : -value
    }

    /// Reads what may follow the digits; whether anything did.
    private mutating func fractionAndExponent(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        let start = position
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try digits(bytes)
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            let sign = try peek(bytes)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try digits(bytes)
        }
        return position > start
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(JSONError) {
        guard digit(bytes) != nil else { throw missingDigit(bytes) }
        while digit(bytes) != nil { position += 1 }
    }

    private func digit(_ bytes: Span<UInt8>) -> UInt8? {
        guard position < bytes.count else { return nil }
        let digit = bytes[position] &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }

    private func missingDigit(_ bytes: Span<UInt8>) -> JSONError {
        JSONError(position < bytes.count ? .invalidNumber : .unexpectedEnd, at: position)
    }
}
