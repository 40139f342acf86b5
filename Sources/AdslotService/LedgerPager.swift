internal import Ledger
internal import Varlink

/// Sends something of the ledger page by page, each when the kernel has taken the one before it: a slow
/// reader makes it wait, and others are served between the pages.
final class LedgerPager {
    /// A page: what writes its members, and whether it is the last.
    struct Page {
        let isLast: Bool
        let write: (inout JSONWriter) -> Void
    }

    private let call: VarlinkCall
    private let onEnd: () -> Void
    private let next: () throws(LedgerError) -> Page

    /// - Parameters:
    ///   - onEnd: is called once, when the last page has been queued or the client has gone.
    ///   - next: reads the next page.
    init(
        _ call: VarlinkCall, onEnd: @escaping () -> Void, next: @escaping () throws(LedgerError) -> Page
    ) {
        self.call = call
        self.onEnd = onEnd
        self.next = next
        call.onEnd(onEnd)
    }

    /// Sends the next page. What waits for the one after it keeps this object.
    func send() {
        let page: Page
        do throws(LedgerError) {
            page = try next()
        } catch {
            onEnd()
            return call.failUnavailable(error)
        }
        call.reply(EncodedReply(continues: !page.isLast) { page.write(&$0) })
        if page.isLast { onEnd() } else { call.whenSent { self.send() } }
    }
}

extension VarlinkCall {
    func failUnavailable(_ error: LedgerError) {
        fail("org.adslotd.Ledger.Unavailable", ["message": .string(error.description)])
    }
}
