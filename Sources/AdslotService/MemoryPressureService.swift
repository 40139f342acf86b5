internal import AdSlots
internal import LinuxSupport
internal import Varlink

/// Tells the slots when the system is short of memory.
///
/// The service manager may say what to watch (https://systemd.io/MEMORY_PRESSURE): `MEMORY_PRESSURE_WATCH`
/// names the file, `/dev/null` for none at all, and `MEMORY_PRESSURE_WRITE` holds in base64 what is to be
/// written to it. Otherwise it is the whole system's pressure, where the kernel tells.
final class MemoryPressureService {
    private var watch: MemoryPressureWatch?

    init(loop: EventLoop, log: Log, slots: SlotService) {
        let named = ProcessContext.environment("MEMORY_PRESSURE_WATCH")
        guard named != "/dev/null" else { return }
        var source = MemoryPressureSource.system
        if let named {
            let trigger = ProcessContext.environment("MEMORY_PRESSURE_WRITE").flatMap(Base64.decode)
            source = MemoryPressureSource(path: named, trigger: trigger ?? [])
        }
        do throws(SystemError) {
            watch = try MemoryPressureWatch(loop: loop, source: source) { [unowned slots] in
                let released = slots.handle(.memoryPressure).count { effect in
                    if case .command = effect { true } else { false }
                }
                guard released > 0 else { return }
                log.write(.info, "memory", "the system is short of memory: released \(released) banners")
            }
            log.write(.debug, "memory", "watches \(source.path)")
        } catch {
            // Kernels without it are common; what somebody has named should be there.
            log.write(named == nil ? .debug : .warning, "memory", "\(error), ignoring")
        }
    }
}
