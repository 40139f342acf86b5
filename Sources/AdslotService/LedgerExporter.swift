internal import AdSlots
internal import Ledger
internal import Varlink

/// Sends the rows of a span page by page, each when the kernel has taken the one before it: a slow reader
/// makes it wait, and others are served between the pages.
final class LedgerExporter {
    private let service: LedgerService
    private let call: VarlinkCall
    private let onEnd: () -> Void
    private var cursor: ExportCursor

    /// - Parameter onEnd: is called once, when the last page has been queued or the client has gone.
    init(_ cursor: ExportCursor, of service: LedgerService, _ call: VarlinkCall, onEnd: @escaping () -> Void)
    {
        self.cursor = cursor
        self.service = service
        self.call = call
        self.onEnd = onEnd
        call.onEnd(onEnd)
    }

    /// Sends the next page. What waits for the one after it keeps this object.
    func send() {
        let rows: [LedgerRow]
        do throws(LedgerError) {
            rows = try service.ledger.read(&cursor, at: service.clocks())
        } catch {
            onEnd()
            return call.failUnavailable(error)
        }
        let continues = !cursor.isAtEnd
        call.reply(
            EncodedReply(continues: continues) { writer in
                writer.key("entries")
                writer.array { writer in for row in rows { writer.value(row) } }
            })
        if continues { call.whenSent { self.send() } } else { onEnd() }
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ row: LedgerRow) {
        object { writer in
            writer.member("sequence", row.sequence)
            writer.member("id", row.id.description)
            writer.member("kind", row.kind)
            writer.member("time", row.wall)
            writer.member("trusted", row.isTrusted)
            writer.member("slot", row.slot)
            writer.member("host", row.host)
            writer.member("source", row.source)
            writer.member("creative", row.creative)
            writer.member("campaign", row.campaign)
            writer.member("path", row.path)
            writer.member("reason", row.reason)
            writer.member("request", row.request)
            writer.member("cpm", row.cpm)
            writer.member("currency", row.price?.currency)
            writer.member("started", row.started)
            writer.member("ended", row.ended)
            writer.member("visible", row.visible)
        }
    }
}

extension VarlinkCall {
    func failUnavailable(_ error: LedgerError) {
        fail("org.adslotd.Ledger.Unavailable", ["message": .string(error.description)])
    }
}
