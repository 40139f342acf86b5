/// The bounds of this target.
enum Limits {
    /// Redirects that are followed.
    static let redirectsMax = 3
    /// Ads whose notices are kept until they have been taken and seen; the oldest are forgotten first.
    static let deliveriesMax = 4_096
    /// How long a source is left alone that asks for it: at least, without a number, and at most.
    static let pause = (
        least: Duration.seconds(1), usual: Duration.seconds(60), most: Duration.seconds(3_600)
    )
}
