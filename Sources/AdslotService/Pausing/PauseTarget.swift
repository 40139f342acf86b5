/// What the daemon itself makes stand still for a piece of work, and lets go on.
///
/// The order is: ``survey(_:)``, and where that finds something to stop, which is then on disk,
/// ``stop(_:)``, and ``release(_:)`` at the end.
protocol PauseTarget: AnyObject {
    /// What it is, so that nothing is registered twice.
    var key: String { get }
    /// Called once when what is to be paused is no longer there, with a sentence.
    var onGone: (String) -> Void { get set }
    /// Called with what is worth a line in the log.
    var onNotice: (String) -> Void { get set }

    /// Finds what has to be stopped now.
    func survey(_ completion: @escaping (Survey) -> Void)
    /// Stops what the survey found.
    func stop(_ progress: PauseProgress)
    /// Lets go on what was stopped, and nothing else. May come at any time after ``stop(_:)``.
    /// - Parameter completion: called when it goes on, or is no longer there.
    func release(_ completion: @escaping () -> Void)
}

/// What a look at a target finds.
enum Survey {
    /// This has to be stopped.
    case running([PausedTarget])
    /// It stands still already, by somebody else's doing: it is not this daemon's to resume.
    case still
    /// It cannot be paused, and why.
    case impossible(String)
}

/// How stopping goes on.
struct PauseProgress {
    /// More was found; returns whether it is on disk and may be stopped.
    let found: ([PausedTarget]) -> Bool
    /// All of it stands still.
    let isStill: () -> Void
}
