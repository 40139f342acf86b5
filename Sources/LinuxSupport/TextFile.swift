internal import Glibc

/// Small files, read whole.
public enum TextFile {
    /// Reads the file at `path`.
    /// - Parameter maximum: a longer file is refused with EFBIG. Pipes and sockets, which may have no end,
    ///   are refused with EINVAL.
    public static func read(_ path: String, maximum: Int) throws(SystemError) -> [UInt8] {
        let raw = try check("open", on: path) { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        let file = OwnedDescriptor(takingOver: raw)
        var status = stat()
        _ = try check("fstat", on: path) { unsafe fstat(file.raw, &status) }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFIFO, kind != S_IFSOCK else {
            throw SystemError(operation: "read (no regular file)", subject: path, code: EINVAL)
        }
        return try readToEnd(of: file.raw, path, maximum: maximum)
    }

    /// Reads what comes on standard input, up to its end.
    /// - Parameter maximum: more than that is refused with EFBIG.
    public static func readStandardInput(maximum: Int) throws(SystemError) -> [UInt8] {
        try readToEnd(of: STDIN_FILENO, "standard input", maximum: maximum)
    }

    private static func readToEnd(
        of descriptor: Int32, _ path: String, maximum: Int
    ) throws(SystemError) -> [UInt8] {
        var content: [UInt8] = []
        let step = 4096
        while true {
            let count = try unsafe withUnsafeTemporaryAllocation(byteCount: step, alignment: 1) {
                space throws(SystemError) -> Int in
                let count = try check("read", on: path) {
                    unsafe Glibc.read(descriptor, space.baseAddress, step)
                }
                unsafe content.append(contentsOf: space[..<count])
                return count
            }
            if count == 0 { return content }
            if content.count > maximum { throw SystemError(operation: "read", subject: path, code: EFBIG) }
        }
    }
}
