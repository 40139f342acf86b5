import Testing

/// All tests of this target, one after the other: they share what belongs to the process (signals, the file
/// mode mask, the numbers of descriptors).
@Suite("LinuxSupport", .serialized)
enum LinuxSupportTests {}
