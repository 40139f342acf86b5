internal import AdSlots
internal import LinuxSupport
internal import Varlink

/// What a lease stands for.
enum LeaseHolder: Hashable {
    case host(HostID)
    case work(WorkID)
}

/// The leases that are out: unguessable words, good on any connection of the user who got them.
struct Leases {
    private struct Entry {
        let holder: LeaseHolder
        let user: UInt32
    }

    private var entries: [String: Entry] = [:]
    private var words: [LeaseHolder: String] = [:]

    /// Gives out a lease.
    mutating func issue(to holder: LeaseHolder, user: UInt32) -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        let word = String((0..<32).map { _ in digits.randomElement(using: &generator) ?? "0" })
        entries[word] = Entry(holder: holder, user: user)
        words[holder] = word
        return word
    }

    /// Takes a lease back.
    mutating func withdraw(_ holder: LeaseHolder) {
        if let word = words.removeValue(forKey: holder) { entries[word] = nil }
    }

    /// Who holds a lease, nil where `user` may not use it or there is none.
    func holder(of word: String, user: UInt32) -> LeaseHolder? {
        guard let entry = entries[word], entry.user == user else { return nil }
        return entry.holder
    }
}
