/// The bounds of this target.
public enum Limits {
    /// Steps of one scenario.
    public static let stepsMax = 1_000_000
    /// Bytes of a scenario file.
    public static let fileBytesMax = 64 << 20
    /// Runs that shrinking a failing scenario may take.
    static let shrinkRunsMax = 4_000
}
