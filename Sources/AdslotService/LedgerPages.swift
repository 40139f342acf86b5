internal import AdSlots
internal import Ledger
internal import LinuxSupport
internal import Varlink

// What is sent page by page.
extension LedgerService {
    func export(_ span: WallSpan, _ call: VarlinkCall) {
        sendPages(to: call) { () throws(LedgerError) in
            var cursor = try ledger.export(span, at: clocks())
            return { [unowned self] () throws(LedgerError) in
                let rows = try ledger.read(&cursor, at: clocks())
                return LedgerPager.Page(isLast: cursor.isAtEnd) { writer in
                    writer.key("entries")
                    writer.array { writer in for row in rows { writer.value(row) } }
                }
            }
        }
    }

    func timeline(_ span: WallSpan, _ call: VarlinkCall) {
        sendPages(to: call) { () throws(LedgerError) in
            var draft = try ledger.timeline(span, slots: slotNames(), at: clocks())
            var isFirst = true
            return { [unowned self] () throws(LedgerError) in
                let extent = isFirst ? draft : nil
                isFirst = false
                let page = try ledger.read(&draft, at: clocks())
                return LedgerPager.Page(isLast: draft.isAtEnd) { writer in
                    if let extent { writer.extent(of: extent) }
                    writer.key("marks")
                    writer.array { writer in for mark in page.marks { writer.value(mark) } }
                    writer.key("slots")
                    writer.array { writer in for slot in page.slots { writer.value(slot) } }
                }
            }
        }
    }

    private func sendPages(
        to call: VarlinkCall,
        _ begin: () throws(LedgerError) -> (() throws(LedgerError) -> LedgerPager.Page)
    ) {
        guard exports < Limits.exportsMax else {
            return call.fail(
                "org.adslotd.Ledger.TooManyExports", ["maximum": .integer(Int64(Limits.exportsMax))])
        }
        do throws(LedgerError) {
            let next = try begin()
            exports += 1
            LedgerPager(call, onEnd: { [weak self] in self?.exports -= 1 }, next: next).send()
        } catch {
            call.failUnavailable(error)
        }
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

    fileprivate mutating func extent(of draft: TimelineDraft) {
        key("extent")
        object { writer in
            writer.member("device", ProcessContext.hostName)
            writer.member("since", draft.since)
            writer.member("until", draft.until)
            writer.member("now", draft.now)
        }
    }

    fileprivate mutating func value(_ mark: TimelineMark) {
        object { writer in
            writer.member("kind", mark.kind)
            writer.member("time", mark.time)
            if let subject = mark.subject { writer.member("subject", subject) }
            if let state = mark.state { writer.member("state", state) }
            if let isReachable = mark.isReachable { writer.member("reachable", isReachable) }
        }
    }

    fileprivate mutating func value(_ count: SlotCount) {
        object { writer in
            writer.member("slot", count.slot)
            writer.member("impressions", count.impressions)
            writer.member("actions", count.actions)
        }
    }
}
