/// The bounds of this target. A real machine stays far below them; what lies beyond is left out.
enum Limits {
    /// Links that a network keeps.
    static let linksMax = 16_384
    /// Addresses that a network keeps, of all links together.
    static let addressesMax = 65_536
}
