import Foundation
import Testing

/// The log beside an SQLite file (https://sqlite.org/fileformat2.html#the_write_ahead_log), read as it lies
/// there.
struct WriteAheadLog: Equatable {
    /// Changes when the log is begun anew, with what it held carried over into the file.
    let salt: [UInt8]
    /// The transactions in it.
    let commits: Int

    init(beside file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file + "-wal")))
        try #require(bytes.count >= 32, "a log of \(bytes.count) bytes")
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let frameBytes = 24 + number(8)
        let salt = Array(bytes[16..<24])
        let frames = stride(from: 32, through: bytes.count - frameBytes, by: frameBytes)
            .prefix { Array(bytes[$0 + 8..<$0 + 16]) == salt }
        self.salt = salt
        // The last frame of a transaction says how long the file is after it.
        commits = frames.count { number($0 + 4) > 0 }
    }

    /// How many transactions came since an earlier look; the log must not have been begun anew.
    func commits(since earlier: WriteAheadLog) throws -> Int {
        try #require(salt == earlier.salt, "the log has been begun anew")
        return commits - earlier.commits
    }
}
