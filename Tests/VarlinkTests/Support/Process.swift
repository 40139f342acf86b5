import Glibc

/// A path for a socket that no other test uses.
func socketPath() -> String {
    "/tmp/varlink-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
}

/// Removes a file; one that is not there is fine.
func removeFile(_ path: String) {
    _ = unsafe unlink(path)
}

/// Leaves this process no further descriptor (`EMFILE` from now on), or as many as it may have.
func allowDescriptors(_ isAllowed: Bool) {
    var limit = rlimit()
    _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let lowestFree = dup(0)
    _ = close(lowestFree)
    limit.rlim_cur = isAllowed ? limit.rlim_max : rlim_t(lowestFree)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
