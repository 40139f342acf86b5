internal import CSystemd
internal import Glibc

/// Notices when other content comes to stand at a path: written, renamed over, removed, or a symbolic link
/// turned elsewhere.
///
/// The directories of the path and of the file that it leads to are watched (inotify(7)). What they cannot
/// show (a mount over the file, a directory that is not there) is found by ``check()``.
public final class FileWatch {
    private let loop: EventLoop
    private let path: String
    private let handler: () -> Void
    private var stamp: FileStamp?
    private var directories: [String: DirectoryWatch] = [:]

    /// Watches `path`, which need not exist, and calls `handler` on each change.
    public init(loop: EventLoop, path: String, handler: @escaping () -> Void) {
        self.loop = loop
        self.path = path
        self.handler = handler
        stamp = FileStamp(path: path)
        watchDirectories()
    }

    /// Looks now.
    /// - Returns: whether something has changed since the last look. The handler is not called for it.
    public func check() -> Bool {
        let now = FileStamp(path: path)
        guard now != stamp else { return false }
        stamp = now
        watchDirectories()
        return true
    }

    private func watchDirectories() {
        let wanted = Set([path, Self.destination(of: path)].compactMap { $0 }.map(Directory.parent(of:)))
        directories = directories.filter { wanted.contains($0.key) }
        for directory in wanted where directories[directory] == nil {
            // Where inotify has no watch left, check() still finds the change.
            directories[directory] = try? DirectoryWatch(loop: loop, path: directory) { [weak self] in
                guard let self, check() else { return }
                self.handler()
            }
        }
    }

    /// The path of the file itself, symbolic links followed.
    private static func destination(of path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}

/// Notices that something in a directory has been written, moved or removed.
final class DirectoryWatch {
    private var source: SourceHandle?
    private let handler: () -> Void

    private static let events =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
        | UInt32(IN_MOVED_TO) | UInt32(IN_ONLYDIR)

    init(loop: EventLoop, path: String, handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        source = try unsafe SourceHandle("sd_event_add_inotify", priority: .normal) { created in
            unsafe sd_event_add_inotify(
                loop.handle, &created, path, DirectoryWatch.events,
                { _, _, context in
                    guard let context = unsafe context else { return 0 }
                    let watch = unsafe Unmanaged<DirectoryWatch>.fromOpaque(context).takeUnretainedValue()
                    if watch.source != nil { watch.handler() }
                    return 0
                }, me)
        }
    }
}
