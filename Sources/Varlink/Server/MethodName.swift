/// A method's name, taken apart at its last dot (varlink.org, "Interface definition").
struct MethodName: Equatable {
    /// The interface, `org.varlink.service`.
    let interface: String
    /// The method of that interface, `GetInfo`.
    let method: String
}

extension MethodName {
    /// Takes a whole name apart; `nil` when there is no interface or no method in it.
    init?(_ full: String) {
        guard let dot = full.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        self.init(interface: String(full[..<dot]), method: String(full[full.utf8.index(after: dot)...]))
        guard !interface.isEmpty, !method.isEmpty else { return nil }
    }
}
