internal import Glibc

/// Small files, read whole.
public enum TextFile {
    /// Reads the file at `path`.
    /// - Parameter maximum: a longer file is refused with EFBIG.
    public static func read(_ path: String, maximum: Int) throws(SystemError) -> [UInt8] {
        let raw = try check("open", on: path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        let file = OwnedDescriptor(takingOver: raw)
        var content: [UInt8] = []
        let step = 4096
        while true {
            let count = try unsafe withUnsafeTemporaryAllocation(byteCount: step, alignment: 1) {
                space throws(SystemError) -> Int in
                let count = try check("read", on: path) {
                    unsafe Glibc.read(file.raw, space.baseAddress, step)
                }
                unsafe content.append(contentsOf: space[..<count])
                return count
            }
            if count == 0 { return content }
            if content.count > maximum { throw SystemError(operation: "read", subject: path, code: EFBIG) }
        }
    }
}
