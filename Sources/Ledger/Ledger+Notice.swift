public import Campaigns

extension Ledger {
    /// What somebody should know.
    public enum Notice: Equatable, Sendable, CustomStringConvertible {
        /// The file was damaged. It has another name now, and a new one begins empty.
        case setAside(LedgerError, as: String)
        /// Nothing is kept for now. It is said once until it works again.
        case failing(LedgerError)
        /// There is no more room for what waits to be kept. It is said once until it works again.
        case losing
        /// Everything is kept again; so many rows were lost meanwhile.
        case working(lost: Int)
        /// The daemon ends, and so much is not on disk: changes, and what slots remember anew.
        case ending(lost: Int, slots: Int)
        /// A campaign's row holds what no version of this program has written; the campaign is left out.
        case unreadable(CampaignID)
        /// The file of some creatives is not what was written; they are out until it is mended.
        case fileBroken(path: String, reason: String)
        /// So many campaigns, and creatives of them, could be read from the damaged file and are in the new
        /// one. Where not all could be, files that are left over lie in the directory named.
        case carriedOver(campaigns: Int, creatives: Int, leftoversIn: String?)
        /// There are files of creatives and no ledger that would know them, or an empty one. A new one
        /// begins; those that were added lie in the directory named.
        case missing(path: String, leftoversIn: String?)

        /// The notice in a sentence.
        public var description: String {
            switch self {
            case .setAside(let error, let path): "\(error); set aside as \(path), beginning anew"
            case .failing(let error):
                "\(error); nothing is kept on disk for now, it waits in memory, going on"
            case .losing:
                "\(Limits.waitingChangesMax) changes wait to be kept: what comes now is lost, and counted"
            case .working(0): "state is kept again"
            case .working(let lost): "state is kept again; \(lost) changes were lost"
            case .ending(let lost, let slots):
                "ending, and nothing can be written: \(lost) changes are lost"
                    + (slots == 0 ? "" : ", and what \(slots) slots remember of late")
            case .unreadable(let id):
                "campaign \(id.value) holds what no version of this program has written; leaving it out"
            case .fileBroken(let path, let reason):
                "\(path) \(reason); creatives of it are out until it is added again"
            case .missing(let path, nil):
                """
                \(path) is missing or empty, and files that it knew are there; beginning anew, they are \
                fetched again
                """
            case .missing(let path, let other?):
                """
                \(path) is missing or empty, and files that it knew are there; beginning anew, the files of \
                creatives are in \(other)
                """
            case .carriedOver(let campaigns, let creatives, nil):
                "all \(campaigns) house campaigns were carried over, with \(creatives) creatives"
            case .carriedOver(let campaigns, let creatives, let path?):
                """
                \(campaigns) house campaigns were carried over, with \(creatives) creatives; others could \
                not be read; files are in \(path)
                """
            }
        }
    }
}
