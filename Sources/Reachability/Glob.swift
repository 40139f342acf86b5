/// A shell pattern for interface names: `*`, `?`, `[abc]`, `[a-z]`, `[!x]`. A bracket that is never closed
/// stands for itself.
struct Glob: Equatable, Sendable {
    /// What one place of the pattern accepts.
    private enum Element: Equatable {
        case anyRun
        case anyOne
        case literal(Unicode.Scalar)
        case set([ClosedRange<Unicode.Scalar>], negated: Bool)

        /// Whether one character suits this place.
        func accepts(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .anyRun, .anyOne: return true
            case .literal(let literal): return literal == scalar
            case .set(let ranges, let negated): return ranges.contains { $0.contains(scalar) } != negated
            }
        }
    }

    private let elements: [Element]

    /// Reads a pattern; every text is one.
    init(_ pattern: String) {
        var elements: [Element] = []
        var rest = Substring(pattern).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": elements.append(.anyRun)
            case "?": elements.append(.anyOne)
            case "[": elements.append(Self.readSet(&rest) ?? .literal(scalar))
            default: elements.append(.literal(scalar))
            }
        }
        self.elements = elements
    }

    /// Reads a set up to its closing bracket; a `]` right at the start is a member, as in a shell.
    private static func readSet(_ rest: inout Substring.UnicodeScalarView) -> Element? {
        var reader = rest
        let negated = reader.first == "!"
        if negated { reader.removeFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let low = reader.popFirst() {
            let afterDash = reader.dropFirst()
            if reader.first == "-", let high = afterDash.first, high != "]" {
                reader = afterDash.dropFirst()
                // A range the wrong way round has no members.
                if low <= high { ranges.append(low...high) }
            } else {
                ranges.append(low...low)
            }
            if reader.first == "]" {
                rest = reader.dropFirst()
                return .set(ranges, negated: negated)
            }
        }
        return nil
    }

    /// Whether the whole of a name suits the pattern.
    func matches(_ name: String) -> Bool {
        let scalars = Array(name.unicodeScalars)
        var element = 0
        var position = 0
        // On a mismatch only the last `*` has to take one character more: earlier ones cannot help.
        var retry: (element: Int, position: Int)?
        while position < scalars.count {
            if element < elements.count, elements[element] == .anyRun {
                retry = (element + 1, position)
                element += 1
            } else if element < elements.count, elements[element].accepts(scalars[position]) {
                element += 1
                position += 1
            } else if let last = retry {
                retry = (last.element, last.position + 1)
                (element, position) = (last.element, last.position + 1)
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .anyRun }
    }
}
