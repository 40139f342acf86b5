extension CreativeFetcher {
    /// What somebody should know.
    public enum Notice: Hashable, Sendable, CustomStringConvertible {
        /// A file has come.
        case fetched(address: String, sizeBytes: Int)
        /// A file has not come, and is asked for again after so many milliseconds.
        case failed(address: String, reason: String, retryMilliseconds: Int64)
        /// A file has gone, for others.
        case evicted(address: String)
        /// There is no room for a file that a running campaign wants.
        case crowdedOut(address: String, reason: String)

        /// Whether something did not go well.
        public var isTrouble: Bool {
            switch self {
            case .failed, .crowdedOut: true
            case .fetched, .evicted: false
            }
        }

        /// The notice in a sentence.
        public var description: String {
            switch self {
            case .fetched(let address, let size): "\(address) is fetched, \(size) bytes"
            case .failed(let address, let reason, let wait):
                "\(address) is not fetched: \(reason)" + (wait > 0 ? "; again in \(wait / 1_000) s" : "")
            case .evicted(let address): "\(address) is dropped"
            case .crowdedOut(let address, let reason): "\(address) is not kept: \(reason)"
            }
        }
    }
}
