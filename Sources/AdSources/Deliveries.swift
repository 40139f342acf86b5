public import AdSlots
internal import OpenRTB

/// What is to be said about an ad once it has been taken, and once it has been seen: each once, whatever is
/// reloaded or shown again.
public final class Deliveries {
    private struct Delivery {
        var win: Notice?
        var billing: BillingNotice?
    }

    private let notices: any NoticeSender
    private var deliveries: [RequestID: Delivery] = [:]
    /// In the order in which they came; requests are never reused, and their numbers grow.
    private var order: [RequestID] = []

    /// - Parameter notices: sends what is to be said.
    public init(notices: any NoticeSender) {
        self.notices = notices
    }

    /// An ad has won its auction.
    func note(_ win: Win, for request: RequestID) {
        guard win.winNotice != nil || win.billing != nil else { return }
        deliveries[request] = Delivery(win: win.winNotice, billing: win.billing)
        order.append(request)
        guard order.count > Limits.deliveriesMax else { return }
        // Half at a time, so that forgetting costs next to nothing for each.
        for forgotten in order.prefix(Limits.deliveriesMax / 2) { deliveries[forgotten] = nil }
        order.removeFirst(Limits.deliveriesMax / 2)
    }

    /// The coordinator has taken the ad that answered a request.
    public func taken(_ request: RequestID) {
        guard let win = deliveries[request]?.win else { return }
        deliveries[request]?.win = nil
        notices.enqueue(win)
    }

    /// The ad that answered a request has been seen.
    /// - Parameter time: when, in milliseconds since the Unix epoch.
    public func seen(_ request: RequestID, at time: Int64) {
        guard let notice = deliveries.removeValue(forKey: request)?.billing?.notice(at: time) else { return }
        notices.enqueue(notice)
    }
}
