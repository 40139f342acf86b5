internal import Campaigns
internal import Ledger
internal import Varlink

/// The files that clients send, piece by piece. They go with their connections.
final class Uploads {
    private enum Content {
        /// Moves to: held.
        case arriving([UInt8])
        case held(HeldFile)
    }

    private struct Upload {
        let connection: ConnectionID
        var content: Content
    }

    private var uploads: [Int: Upload] = [:]
    private var last = 0
    private var arriving = 0

    /// Begins one.
    /// - Returns: its number, `nil` where so many are arriving already.
    func begin(on connection: ConnectionID) -> Int? {
        guard arriving < Limits.uploadsArrivingMax, uploads.count < Limits.uploadsMax else { return nil }
        last += 1
        arriving += 1
        uploads[last] = Upload(connection: connection, content: .arriving([]))
        return last
    }

    /// Adds bytes to one that is arriving.
    /// - Returns: all bytes so far, `nil` where there is no such upload on that connection.
    /// - Throws: where it is longer than any file may be; it is forgotten then.
    func append(
        _ bytes: [UInt8], to number: Int, on connection: ConnectionID
    ) throws(InventoryError) -> [UInt8]? {
        guard let upload = uploads[number], upload.connection == connection,
            case .arriving(var content) = upload.content
        else { return nil }
        uploads[number]?.content = .arriving([])
        content += bytes
        guard content.count <= Campaigns.Limits.creativeBytesMax else {
            forget(number)
            throw .invalidFile(.tooLong(nil, bytesMax: Int(Campaigns.Limits.creativeBytesMax)))
        }
        uploads[number]?.content = .arriving(content)
        return content
    }

    /// One has come to its end.
    func complete(_ number: Int, as file: HeldFile) {
        arriving -= 1
        uploads[number]?.content = .held(file)
    }

    /// Forgets one that cannot be taken.
    func forget(_ number: Int) {
        guard let upload = uploads.removeValue(forKey: number) else { return }
        if case .arriving = upload.content { arriving -= 1 }
    }

    /// The file of a whole upload.
    func file(_ number: Int, on connection: ConnectionID) -> HeldFile? {
        guard let upload = uploads[number], upload.connection == connection,
            case .held(let file) = upload.content
        else { return nil }
        return file
    }

    /// Forgets those of a connection.
    /// - Returns: the files that are no longer held by it.
    func drop(_ connection: ConnectionID) -> [HeldFile] {
        var files: [HeldFile] = []
        for (number, upload) in uploads where upload.connection == connection {
            if case .held(let file) = upload.content { files.append(file) }
            forget(number)
        }
        return files
    }
}
