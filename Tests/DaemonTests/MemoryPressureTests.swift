import Foundation
import Testing
import Varlink

@Suite("Memory pressure", .ownThread, .needsNamespaces)
struct MemoryPressureTests {
    /// A FIFO in the kernel's place, as https://systemd.io/MEMORY_PRESSURE provides for.
    private func daemon(_ network: Network, _ directory: ScratchDirectory) throws -> (DaemonProcess, String) {
        let fifo = directory.file("pressure")
        let made = unsafe mkfifo(fifo, 0o600)
        try #require(made == 0)
        let daemon = try DaemonProcess(
            in: network, directory: directory, environment: ["MEMORY_PRESSURE_WATCH": fifo])
        return (daemon, fifo)
    }

    private func press(_ fifo: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: fifo))
        try file.write(contentsOf: Data("x".utf8))
        try file.close()
    }

    @Test("A banner that nobody sees is released, one on screen stays, and what was released comes back")
    func release() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        let (daemon, fifo) = try daemon(network, directory)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try press(fifo)
        try host.expectNothing(for: .milliseconds(200))
        try host.update(visible: false)
        try host.expect("hide")
        // The second one is heard when the pause after the first is over.
        try press(fifo)
        let release = try host.expect("release")
        #expect(release.reason == "memoryPressure")
        try daemon.log.wait(for: "short of memory")
        let steps = try daemon.call("org.adslotd.Slots.Explain", ["slot": "banner"])["steps"]?.array ?? []
        #expect(steps.contains { $0.string?.contains("released (memoryPressure)") == true }, "\(steps)")
        try host.update(visible: true)
        try host.waitUntilShown()
        host.die()
    }

    @Test("Where there is nothing to watch the daemon goes on: quietly by default, aloud where it was named")
    func nothing() throws {
        let directory = try ScratchDirectory()
        let daemon = try DaemonProcess(
            in: Network(), directory: directory,
            environment: ["MEMORY_PRESSURE_WATCH": directory.file("missing")])
        try daemon.log.wait(for: "stat \(directory.file("missing"))")
        #expect(try daemon.slot().text("state") == "detached")
    }
}
