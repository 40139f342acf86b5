internal import LinuxSupport
internal import NetlinkWatcher
internal import Reachability
internal import Varlink

/// `record`: takes the daemon's flight record into a file.
struct RecordTaker {
    /// How long the next piece may take.
    private static let timeout = Duration.seconds(10)

    let client: VarlinkClient

    /// Takes the record and writes it. A file is there afterwards only when all of it has come.
    /// - Returns: what was written.
    func take(into path: String) throws(Failure) -> Replay {
        let bytes = try receive()
        let replay: Replay
        do throws(RecordError) {
            replay = try Replay(bytes)
        } catch {
            throw Failure(code: .refused, message: "the daemon sent a record that cannot be read: \(error)")
        }
        do throws(SystemError) {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw Failure(code: .refused, message: "\(error)")
        }
        return replay
    }

    private func receive() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(VarlinkClientError) {
            let replies = try client.callMore("org.adslotd.Manager.Record", timeout: Self.timeout)
            while let reply = try replies.next(timeout: Self.timeout) {
                guard let piece = reply["data"]?.string.flatMap(Base64.decode),
                    bytes.count + piece.count <= Replay.fileBytesMax
                else { throw .malformedReply }
                bytes += piece
            }
        } catch {
            throw Failure(error)
        }
        return bytes
    }
}

extension Replay {
    /// Reads a file. What is wrong with it is said with its name and the place.
    init(file path: String) throws(Failure) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try TextFile.read(path, maximum: Replay.fileBytesMax)
        } catch {
            guard error.isTooLarge else { throw Failure(code: .usage, message: "\(error)") }
            let place = RecordError(.tooLong, at: Replay.fileBytesMax)
            throw Failure(code: .usage, message: "\(path): \(place)")
        }
        do throws(RecordError) {
            try self.init(bytes)
        } catch {
            throw Failure(code: .usage, message: "\(path): \(error)")
        }
    }

    /// What the record holds, in a few words: `312 records over 4.218 s`.
    var extent: String {
        let milliseconds = max(0, (end - start).microseconds / 1_000)
        let fraction = String(milliseconds % 1_000)
        let padding = String(repeating: "0", count: 3 - fraction.count)
        return "\(count) records over \(milliseconds / 1_000).\(padding)\(fraction) s"
    }
}
