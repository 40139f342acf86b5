/// The bounds of this target.
public enum Limits {
    /// How much time one picture shows, in microseconds: a leap year.
    public static let spanMicroseconds: ClosedRange<Int64> = 1_000_000...31_622_400_000_000
    /// Marks that one picture is made of.
    public static let marksMax = 1_000_000
    /// Lanes of slots; of more it is said how many there are.
    static let slotLanesMax = 200
    /// Lanes of work.
    static let workLanesMax = 60
    /// Rectangles in all lanes together: above it what is small is merged sooner, so that the file stays
    /// below some megabytes.
    static let cellsMax = 12_000
    /// How often what is small is merged sooner: each time twice as soon.
    static let coarsenings = 8
    /// Moments that are looked at for the marks of the axis.
    static let axisSamplesMax: Int64 = 20_000
    /// Characters of a name in a tooltip; what is longer is cut.
    static let nameCharactersMax = 120
}
