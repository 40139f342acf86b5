/// The bounds of this target, each with its reason.
enum Limits {
    /// Addresses kept of one name: each costs a route lookup whenever the network changes.
    static let addressesPerNameMax = 16
    /// Names that are being asked for at one time.
    static let resolutionsMax = 64
    /// Everything about one name, whatever the servers do.
    static let resolutionMicroseconds: Int64 = 10_000_000
    /// How long the second family may still take once the first has settled that the name exists or not: a
    /// server that swallows AAAA questions would otherwise cost the whole time.
    static let secondFamilyMicroseconds: Int64 = 1_000_000
    /// The first wait for one server; c-ares doubles it with each round over the servers.
    static let serverMilliseconds: Int32 = 1_500
    /// Rounds over the servers.
    static let roundsMax: Int32 = 3
    /// The longest hosts file that is read. Lists of blocked names reach some megabytes.
    static let hostsFileBytesMax = 4 << 20
    /// How long what needs no server is good; a change of the hosts file is noticed by itself.
    static let localLifetime = Duration.seconds(600)
    /// The shortest wait for c-ares's own timers, which it counts in milliseconds.
    static let timerMicrosecondsMin: Int64 = 1_000
}
