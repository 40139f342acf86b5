internal import Campaigns

// Why a file is not there, in words.
extension CreativeFetcher {
    static func text(_ obstacle: CreativeCache.Obstacle) -> String {
        switch obstacle {
        case .noPath: "there is no network"
        case .notLocal: "it is wanted later, and is fetched over Wi-Fi or Ethernet that costs nothing"
        case .budget: "MeteredBudget= of today is used up"
        }
    }

    static func text(_ bound: CreativeCache.Fetch.Bound, bytesMax: Int64) -> String {
        switch bound {
        case .file: "it is longer than the \(bytesMax) bytes that a file may have"
        case .room: "SizeMax= has no room for more than \(bytesMax) bytes beside what runs"
        case .budget: "it is longer than the \(bytesMax) bytes that are left of MeteredBudget= today"
        }
    }
}
