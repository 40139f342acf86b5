import Glibc
import LinuxSupport
import Testing

extension LinuxSupportTests {
    @Suite("What the process was started with")
    struct ContextTests {
        @Test("A variable that is missing is none; a group is found by its name")
        func context() {
            #expect(ProcessContext.environment("PATH")?.isEmpty == false)
            #expect(ProcessContext.environment("NO_SUCH_VARIABLE_HERE") == nil)
            #expect(ProcessContext.pid == getpid())
            #expect(ProcessContext.userID == geteuid())
            #expect(ProcessContext.groupID(named: "root") == 0)
            #expect(ProcessContext.groupID(named: "no-such-group-here") == nil)
        }

        @Test("Without systemd there are no sockets to inherit, and nobody to tell")
        func noManager() throws {
            #expect(try ServiceManager.listeners() == [])
            ServiceManager.ready(status: "ready")
            ServiceManager.status("still")
            ServiceManager.reloading()
            ServiceManager.stopping()
        }
    }
}
