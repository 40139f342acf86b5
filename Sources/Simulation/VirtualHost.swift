public import AdSlots
public import Reachability

/// A host that does what it is told, and notices what a real one would suffer from.
public struct VirtualHost: Sendable {
    /// What is on its screen.
    private enum Screen: Hashable {
        case nothing
        case offScreen(BannerID)
        case onScreen(BannerID, Creative)
    }

    /// The slot that it asked for.
    public let slot: String
    /// The size of its screen, in density-independent pixels.
    public private(set) var viewport: Size
    /// Whether the banner would be in view.
    public private(set) var visible: Bool
    /// The edge of its slot.
    public let placement: Placement
    /// What it was told so far.
    public private(set) var commands: [Command] = []
    /// Since when the ad has been in view without a break, as the host sees it.
    public private(set) var inViewSince: Instant?
    private var screen = Screen.nothing
    private var released: Set<BannerID> = []
    private var lastSequence = 0
    private let keepsCommands: Bool

    /// Creates a host with nothing on its screen.
    ///
    /// - Parameters:
    ///   - slot: The slot that it asks for.
    ///   - viewport: The size of its screen.
    ///   - visible: Whether the banner would be in view.
    ///   - placement: The edge of the slot.
    ///   - keepsCommands: Whether to keep all that it was told.
    public init(
        slot: String, viewport: Size, visible: Bool, placement: Placement, keepsCommands: Bool = true
    ) {
        self.slot = slot
        self.viewport = viewport
        self.visible = visible
        self.placement = placement
        self.keepsCommands = keepsCommands
    }

    /// The creative on screen.
    public var creative: Creative? {
        guard case .onScreen(_, let creative) = screen else { return nil }
        return creative
    }

    /// The view that it holds.
    public var banner: BannerID? {
        switch screen {
        case .nothing: nil
        case .offScreen(let banner), .onScreen(let banner, _): banner
        }
    }

    /// The host's screen changed.
    public mutating func change(viewport: Size?, visible: Bool?, at now: Instant) {
        if let viewport { self.viewport = viewport }
        guard let visible, visible != self.visible else { return }
        self.visible = visible
        inViewSince = visible && creative != nil ? now : nil
    }

    /// An action that covered the screen is over.
    public mutating func uncover(at now: Instant) {
        if inViewSince != nil { inViewSince = now }
    }

    /// Obeys.
    ///
    /// - Parameters:
    ///   - command: What it is told.
    ///   - now: The moment.
    ///   - hasLeft: The host is gone: the command only says what became of its banner.
    /// - Returns: The invariant that the command breaks, `nil` when it breaks none.
    public mutating func obey(_ command: Command, at now: Instant, hasLeft: Bool) -> Breach? {
        lastSequence += 1
        if keepsCommands { commands.append(command) }
        guard command.sequence == lastSequence else {
            return Breach(.commands, "sequence \(command.sequence) is out of order")
        }
        if released.contains(command.banner) {
            return Breach(.released, "\(command.kind) names a released banner")
        }
        if command.kind == .create {
            guard screen == .nothing else { return Breach(.single, "a second live banner") }
        } else if command.banner != banner {
            return Breach(.released, "\(command.kind) names a banner that the host does not hold")
        }
        if (command.kind == .show) != (command.creative != nil) {
            return Breach(.blank, "\(command.kind) with\(command.creative == nil ? "out" : "") a creative")
        }
        return place(command, at: now, hasLeft: hasLeft) ?? misplacement(of: command)
    }

    private mutating func place(_ command: Command, at now: Instant, hasLeft: Bool) -> Breach? {
        switch command.kind {
        case .create:
            screen = .offScreen(command.banner)
        case .show:
            guard let creative = command.creative else { return Breach(.blank, "a blank banner") }
            if creative.isExpired(at: now) { return Breach(.blank, "an expired creative is shown") }
            if !visible { return Breach(.commands, "an ad is shown where it is not in view") }
            if creative != self.creative || inViewSince == nil { inViewSince = now }
            screen = .onScreen(command.banner, creative)
        case .resize:
            break
        case .hide:
            screen = .offScreen(command.banner)
            inViewSince = nil
        case .release:
            if creative != nil, !hasLeft { return Breach(.commands, "a banner on screen is released") }
            released.insert(command.banner)
            screen = .nothing
            inViewSince = nil
        }
        return nil
    }

    /// Whether the frames are those of the layout for where the banner now is.
    private func misplacement(of command: Command) -> Breach? {
        let frame = command.bannerFrame
        let size = Size(width: frame.width, height: frame.height)
        let isOnScreen = creative != nil
        if let creative, creative.size != size {
            return Breach(.commands, "the frame is not of the creative's size")
        }
        let right =
            isOnScreen
            ? Layout.shown(size, in: viewport, at: placement)
            : Layout.hidden(size, in: viewport, at: placement)
        guard frame == right.banner, command.contentFrame == right.content else {
            let frames = "\(frame), \(command.contentFrame)"
            return Breach(.commands, "\(command.kind) has frames \(frames) in \(viewport)")
        }
        if isOnScreen, !size.fits(inside: viewport) {
            return Breach(.commands, "the banner does not fit")
        }
        return nil
    }
}
