/// The bounds of this target.
enum Limits {
    /// Notices that wait to be sent.
    static let noticesMax = 1_024
    /// Notices that are being sent at a time.
    static let noticesInFlightMax = 4
    /// How often a notice is tried.
    static let noticeAttemptsMax = 8
    /// Notices that are remembered as taken, so that none is sent twice.
    static let noticesRememberedMax = 8_192
    /// The time for one attempt to send a notice.
    static let noticeTimeout = Duration.seconds(10)
    /// The wait after the first attempt that failed; it doubles.
    static let noticeRetry = Duration.seconds(1)
    /// The longest wait between two attempts.
    static let noticeRetryMax = Duration.seconds(300)
    /// How much of a notice's answer is read, so that the connection can be used again.
    static let noticeAnswerBytesMax = 16 << 10
    /// Redirects that are followed, of requests and notices.
    static let redirectsMax = 3
    /// Ads whose notices are kept until they have been taken and seen; the oldest are forgotten first.
    static let deliveriesMax = 4_096
    /// How long a source is left alone that asks for it: at least, without a number, and at most.
    static let pause = (
        least: Duration.seconds(1), usual: Duration.seconds(60), most: Duration.seconds(3_600)
    )
}
