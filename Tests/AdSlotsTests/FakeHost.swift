import AdSlots
import Reachability

/// A host that does what it is told, and notices what a real one would suffer from.
struct FakeHost {
    /// What is on its screen.
    enum Screen: Equatable {
        case nothing
        case offScreen(BannerID)
        case onScreen(BannerID, Creative)
    }

    let slot: String
    var viewport: Size
    var visible: Bool
    let placement: Placement
    private(set) var screen = Screen.nothing
    private(set) var commands: [Command] = []
    /// Since when the ad has been in view without a break, as the host sees it.
    private(set) var inViewSince: Instant?
    private var released: Set<BannerID> = []

    init(slot: String, viewport: Size, visible: Bool, placement: Placement) {
        self.slot = slot
        self.viewport = viewport
        self.visible = visible
        self.placement = placement
    }

    /// The creative on screen.
    var creative: Creative? {
        guard case .onScreen(_, let creative) = screen else { return nil }
        return creative
    }

    /// The view that it holds.
    var banner: BannerID? {
        switch screen {
        case .nothing: nil
        case .offScreen(let banner), .onScreen(let banner, _): banner
        }
    }

    /// The host's screen changed.
    mutating func change(viewport: Size?, visible: Bool?, at now: Instant) {
        if let viewport { self.viewport = viewport }
        guard let visible, visible != self.visible else { return }
        self.visible = visible
        inViewSince = visible && creative != nil ? now : nil
    }

    /// An action that covered the screen is over.
    mutating func uncover(at now: Instant) {
        if inViewSince != nil { inViewSince = now }
    }

    /// Obeys; returns what is wrong with the command, `nil` when nothing is.
    mutating func obey(_ command: Command, at now: Instant, hasLeft: Bool) -> String? {
        let isNumbered = command.sequence == commands.count + 1
        commands.append(command)
        guard isNumbered else { return "sequence \(command.sequence) is out of order" }
        if released.contains(command.banner) { return "\(command.kind) names a released banner" }
        if command.kind == .create {
            guard screen == .nothing else { return "a second live banner" }
        } else if command.banner != banner {
            return "\(command.kind) names a banner that the host does not hold"
        }
        if (command.kind == .show) != (command.creative != nil) { return "a creative that does not belong" }
        return place(command, at: now, hasLeft: hasLeft) ?? misplacement(of: command)
    }

    private mutating func place(_ command: Command, at now: Instant, hasLeft: Bool) -> String? {
        switch command.kind {
        case .create:
            screen = .offScreen(command.banner)
        case .show:
            guard let creative = command.creative else { return "a blank banner" }
            if creative.isExpired(at: now) { return "an expired creative is shown" }
            if !visible { return "an ad is shown where it is not in view" }
            if creative != self.creative || inViewSince == nil { inViewSince = now }
            screen = .onScreen(command.banner, creative)
        case .resize:
            break
        case .hide:
            screen = .offScreen(command.banner)
            inViewSince = nil
        case .release:
            if creative != nil, !hasLeft { return "a banner on screen is released" }
            released.insert(command.banner)
            screen = .nothing
            inViewSince = nil
        }
        return nil
    }

    /// Whether the frames are those of the layout for where the banner now is.
    private func misplacement(of command: Command) -> String? {
        let frame = command.bannerFrame
        let size = Size(width: frame.width, height: frame.height)
        let isOnScreen = creative != nil
        if let creative, creative.size != size { return "the frame is not of the creative's size" }
        let right =
            isOnScreen
            ? Layout.shown(size, in: viewport, at: placement)
            : Layout.hidden(size, in: viewport, at: placement)
        guard frame == right.banner, command.contentFrame == right.content else {
            return "\(command.kind) has frames \(frame), \(command.contentFrame) in \(viewport)"
        }
        if isOnScreen, !size.fits(inside: viewport) { return "the banner does not fit" }
        return nil
    }
}
