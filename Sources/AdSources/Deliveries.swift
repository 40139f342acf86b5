public import AdSlots
public import OpenRTB

/// What is to be said about an ad once it has been taken, and once it has been seen: each once, whatever is
/// reloaded or shown again.
public final class Deliveries {
    private struct Delivery {
        var win: Notice?
        var billing: BillingNotice?
    }

    private var deliveries: [RequestID: Delivery] = [:]
    /// In the order in which they came; requests are never reused, and their numbers grow.
    private var order: [RequestID] = []

    /// Nothing is to be said yet.
    public init() {}

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
    /// - Returns: what the bidder is to be told, nil where that is nothing.
    public func taken(_ request: RequestID) -> Notice? {
        defer { deliveries[request]?.win = nil }
        return deliveries[request]?.win
    }

    /// The ad that answered a request has been seen.
    /// - Parameter time: when, in milliseconds since the Unix epoch.
    /// - Returns: what the bidder is to be told, nil where that is nothing.
    public func seen(_ request: RequestID, at time: Int64) -> Notice? {
        deliveries.removeValue(forKey: request)?.billing?.notice(at: time)
    }
}
