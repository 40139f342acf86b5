/// Every bound of this module, by name. A value beyond its bound is refused or brought into it, never stored.
public enum Limits {
    /// Slots that one configuration may name.
    public static let slotsMax = 16_384
    /// Pieces of work that may be registered at a time.
    public static let workItemsMax = 4_096
    /// Bytes of the name of a slot, a host or a piece of work, in UTF-8.
    public static let nameBytesMax = 255
    /// Bytes of the reason that work gives for a veto; what is longer is cut.
    public static let vetoReasonBytesMax = 255
    /// Sources that one slot may ask.
    public static let sourcesPerSlotMax = 32
    /// Sizes that one slot may allow.
    public static let sizesPerSlotMax = 64
    /// How long the operator may disable a slot for; without a time it stays until it is enabled.
    public static let disableDurationMax = Duration.seconds(366 * 86_400)
    /// Bytes of what a source says about a failure; what is longer is cut.
    public static let failureDetailBytesMax = 255
    /// Decisions that a slot remembers for Explain; the oldest is forgotten first.
    public static let explainStepsMax = 32
    /// Length of a side of a viewport or an advertisement, in density-independent pixels.
    public static let sidePixels = 1...32_768

    /// `RefreshInterval=`.
    public static let refreshInterval = Duration.seconds(30)...Duration.seconds(604_800)
    /// `RetryInterval=` and `RetryMax=`.
    public static let retryInterval = Duration.milliseconds(1)...Duration.seconds(604_800)
    /// `MinimumInterval=`.
    public static let minimumInterval = Duration.zero...Duration.seconds(86_400)
    /// `MinimumView=`.
    public static let minimumView = Duration.zero...Duration.seconds(3_600)
    /// `RequestTimeout=`.
    public static let requestTimeout = Duration.milliseconds(1)...Duration.seconds(3_600)
    /// `PauseTimeout=`.
    public static let pauseTimeout = Duration.zero...Duration.seconds(3_600)
    /// `ActionTimeout=`.
    public static let actionTimeout = Duration.milliseconds(1)...Duration.seconds(86_400)
}

extension Duration {
    /// The nearest duration inside `range`.
    func clamped(to range: ClosedRange<Duration>) -> Duration {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
