import Reachability

/// The five things that a host is told, each with what it does to the banner.
extension Hosting {
    /// Makes a view off screen.
    mutating func create(size: Size, _ record: inout SlotRecord, _ turn: inout Turn) {
        let frames = Layout.hidden(size, in: viewport, at: record.settings.placement)
        let view = View(id: turn.ids.banner(), size: size, frames: frames)
        command(.create, view, reason: .loading, &turn)
        record.note(.created(view.id), turn)
        banner = .made(view)
    }

    /// Puts an ad on screen. The caller has checked that it may be seen.
    mutating func show(
        _ ad: Ad, in view: View, refreshAt: Instant, reason: Reason, _ record: inout SlotRecord,
        _ turn: inout Turn
    ) {
        var view = view
        view.size = ad.creative.size
        view.frames = Layout.shown(view.size, in: viewport, at: record.settings.placement)
        command(.show, view, creative: ad.creative, reason: reason, &turn)
        record.note(.showed(view.id, source: ad.creative.source, reason), turn)
        banner = .shown(view, Showing(ad: ad, refreshAt: refreshAt, inViewSince: turn.now))
    }

    /// Gives a view new frames.
    mutating func resize(
        _ view: View, to frames: Frames, _ record: inout SlotRecord, _ turn: inout Turn
    ) -> View {
        var view = view
        view.frames = frames
        view.size = Size(width: frames.banner.width, height: frames.banner.height)
        command(.resize, view, reason: .viewport, &turn)
        record.note(.resized(view.id), turn)
        return view
    }

    /// Gives a view off screen the place that it has in the present viewport.
    mutating func parked(
        _ view: View, size: Size, _ record: inout SlotRecord, _ turn: inout Turn
    ) -> View {
        let frames = Layout.hidden(size, in: viewport, at: record.settings.placement)
        return frames == view.frames ? view : resize(view, to: frames, &record, &turn)
    }

    /// Takes a view from the screen.
    mutating func hide(
        _ view: View, _ reason: Reason, _ record: inout SlotRecord, _ turn: inout Turn
    ) -> View {
        var view = view
        view.frames = Layout.hidden(view.size, in: viewport, at: record.settings.placement)
        command(.hide, view, reason: reason, &turn)
        record.note(.hid(view.id, reason), turn)
        return view
    }

    /// Drops a view for good.
    mutating func release(
        _ view: View, _ reason: Reason, _ record: inout SlotRecord, _ turn: inout Turn
    ) {
        var view = view
        view.frames = Layout.hidden(view.size, in: viewport, at: record.settings.placement)
        command(.release, view, reason: reason, &turn)
        record.note(.released(view.id, reason), turn)
        banner = .none
    }
}
