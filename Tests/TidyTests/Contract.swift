import Testing

/// The names and types that hosts, tests and scripts rely on. An interface may say more than stands here, and
/// never less: what is renamed or dropped needs a new interface name.
enum Contract {
    /// One interface, as far as it is promised.
    struct Promise: Sendable, CustomTestStringConvertible {
        /// The interface's description without its comments.
        let text: String
        var testDescription: String { String(text.prefix { $0 != "\n" }) }
    }

    static let interfaces = [reachability, slots, work, manager].map { Promise(text: $0) }

    private static let reachability = """
        interface org.adslotd.Reachability
        type Reachability (status: (none, wifi, cellular, ethernet, other), reachable: bool,
          connectionRequired: bool, expensive: bool, ipv4: bool, ipv6: bool, interface: ?string, tunnel:
          ?string, reason: string, held: bool, sequence: int, since: int)
        type Link (index: int, name: string, kind: (ethernet, wifi, cellular, tunnel, bridge, loopback,
          other), evidence: string, administrativelyUp: bool, carrier: bool, operationalState: string,
          dormant: bool, metered: bool, addresses: []string, egress: bool)
        method Get() -> (reachability: Reachability)
        method Monitor() -> (reachability: Reachability)
        method ListLinks() -> (links: []Link)
        method Probe(host: string) -> (reachability: Reachability, addresses: []string)
        error InvalidHost (host: string)
        error ResolutionFailed (host: string, message: string)
        """

    private static let slots = """
        interface org.adslotd.Slots
        type Size (width: int, height: int)
        type Rectangle (x: int, y: int, width: int, height: int)
        type Creative (id: string, source: string, mediaType: string, size: Size, markup: ?string, path:
          ?string, clickURL: ?string, advertiserDomains: []string)
        type Command (kind: (create, show, resize, hide, release), banner: int, bannerFrame: Rectangle,
          contentFrame: Rectangle, creative: ?Creative, reason: string, sequence: int)
        type Slot (name: string, state: (detached, waiting, loading, shown, hidden, acting), placement:
          (top, bottom), host: ?string, banner: ?int, creative: ?Creative, viewport: ?Size, visible:
          bool, reason: string, lastError: ?string, nextAttempt: ?int, requests: int, fills: int,
          impressions: int, actions: int)
        method Attach(slot: string, viewport: Size, visible: ?bool, host: ?string) -> (lease: ?string,
          command: ?Command)
        method Update(lease: string, viewport: ?Size, visible: ?bool) -> ()
        method BeginAction(lease: string, banner: int, leavesApplication: ?bool) -> (allowed: bool,
          action: ?int, reason: ?string)
        method FinishAction(lease: string, action: int) -> ()
        method List() -> (slots: []Slot)
        method Explain(slot: string) -> (slot: Slot, steps: []string)
        error UnknownSlot (slot: string, known: []string)
        error SlotTaken (slot: string, host: string)
        error UnknownLease ()
        error UnknownAction (action: int)
        error InvalidViewport (viewport: Size, message: string)
        """

    private static let work = """
        interface org.adslotd.Work
        type Item (name: string, kind: (client, process, cgroup, unit), state: (running, pausing, paused,
          resuming), actions: []int, pauses: int, lastPauseMicroseconds: ?int)
        type Instruction (kind: (pause, resume), token: int, action: ?int, reason: string)
        method Register(name: string, kind: (client, process, cgroup, unit), pid: ?int, path: ?string,
          unit: ?string, mayVeto: ?bool) -> (lease: ?string, instruction: ?Instruction)
        method Acknowledge(lease: string, token: int) -> ()
        method Veto(lease: string, token: int, reason: string) -> ()
        method List() -> (work: []Item)
        error NameTaken (name: string)
        error InvalidTarget (message: string)
        error UnknownLease ()
        error UnknownToken (token: int)
        error NotPermitted (message: string)
        """

    private static let manager = """
        interface org.adslotd.Manager
        type Source (name: string, kind: (test, house, openrtb), enabled: bool, requests: int, fills:
          int, lastError: ?string)
        method GetStatus() -> (version: string, pid: int, started: int, configuration: []string,
          reachability: object, slots: []object, work: []object, sources: []Source, clients: int,
          droppedClients: int, linkEvents: int, resyncs: int)
        method Monitor() -> (kind: string, time: int, sequence: int, text: string, data: object)
        method Reload() -> ()
        error ConfigurationInvalid (file: string, line: int, message: string)
        error NotPermitted (message: string)
        """
}
