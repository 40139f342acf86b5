internal import Glibc

/// Which file stands at a path, and when it was last written: two equal stamps mean the same content.
public struct FileStamp: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// How long the file is.
    public let sizeBytes: Int64
    /// Whether it is a regular file.
    public let isRegular: Bool
    private let seconds: Int
    private let nanoseconds: Int

    /// Looks at the file that `path` leads to; nil when there is none, or none that this process may see.
    public init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        sizeBytes = Int64(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
