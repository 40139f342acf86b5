import Glibc

/// A page with an unreadable one behind it: bytes that end at its end cannot be read past, not by one.
@safe
final class GuardedBytes {
    private let base: UnsafeMutableRawPointer
    private let pageBytes = 4096

    init?() {
        let map = unsafe mmap(nil, 2 * pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else { return nil }
        unsafe base = map
        guard unsafe mprotect(map + pageBytes, pageBytes, PROT_NONE) == 0 else { return nil }
    }

    deinit {
        _ = unsafe munmap(base, 2 * pageBytes)
    }

    /// Lends a copy of `bytes` that ends where the readable page ends.
    func lend<Result>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        precondition(bytes.count <= pageBytes)
        let start = unsafe base + (pageBytes - bytes.count)
        unsafe UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
        return unsafe body(UnsafeRawBufferPointer(start: start, count: bytes.count))
    }
}
