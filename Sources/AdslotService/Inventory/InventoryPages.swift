internal import Campaigns
internal import Ledger
internal import Varlink

/// Elements of an answer, up to a bound of bytes; the one that crosses it is the last.
struct AnswerPage {
    private(set) var elements: [[UInt8]] = []
    private var bytes = 0

    var isFull: Bool { bytes >= Limits.inventoryPageBytes }

    mutating func add(_ write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        write(&writer)
        bytes += writer.bytes.count
        elements.append(writer.bytes)
    }
}

/// Answers List and ListCreatives: with one page, or page by page with everybody else served between them,
/// each sent when the kernel has taken the one before it.
final class InventoryLister {
    /// Writes a page of what comes behind a number.
    /// - Returns: the number behind which the next page begins, `nil` after the last one.
    typealias Read = (_ after: Int64, inout AnswerPage) throws(InventoryError) -> Int64?

    private let key: String
    private let call: VarlinkCall
    private let read: Read

    init(_ key: String, _ call: VarlinkCall, _ read: @escaping Read) {
        self.key = key
        self.call = call
        self.read = read
    }

    /// Sends the page that comes behind a number. What waits for the one after it keeps this object.
    func send(after: Int64) {
        do throws(InventoryError) {
            var page = AnswerPage()
            let next = try read(after, &page)
            let continues = call.wantsMore && next != nil
            call.reply(
                EncodedReply(continues: continues) { writer in
                    writer.member(key, encoded: page.elements)
                    writer.member("next", next)
                })
            if continues, let next { call.whenSent { self.send(after: next) } }
        } catch {
            call.fail(error)
        }
    }
}

/// Sends the whole inventory page by page.
final class InventoryExporter {
    private enum Item {
        case file(CreativeFile)
        case campaign(Campaign)
        case creative(StoredCreative)
    }

    private let service: InventoryService
    private let call: VarlinkCall
    private let onEnd: () -> Void
    private var waiting: ArraySlice<Item> = []
    private var after: CampaignID?
    private var isAtEnd = false
    /// The paths of the files that have been sent.
    private var sent: Set<String> = []
    /// The file that is being sent, and how much of it has been.
    private var file: (path: String, bytes: [UInt8], sent: Int)?

    /// - Parameter onEnd: is called once, when the last page has been queued or the client has gone.
    init(_ service: InventoryService, _ call: VarlinkCall, onEnd: @escaping () -> Void) {
        self.service = service
        self.call = call
        self.onEnd = onEnd
        call.onEnd(onEnd)
    }

    /// Sends the next page. What waits for the one after it keeps this object.
    func send() {
        var (campaigns, creatives, pieces) = (AnswerPage(), AnswerPage(), AnswerPage())
        do throws(InventoryError) {
            while !campaigns.isFull, !creatives.isFull, !pieces.isFull {
                if file != nil {
                    addPiece(to: &pieces)
                    continue
                }
                guard let item = try next() else { break }
                switch item {
                case .campaign(let campaign): campaigns.add { $0.value(campaign) }
                case .creative(let creative):
                    creatives.add { $0.value(creative, fetch: service.fetch(creative)) }
                case .file(let next): file = (next.path, try service.ledger.content(of: next), 0)
                }
            }
        } catch {
            onEnd()
            return call.fail(error)
        }
        let continues = file != nil || !waiting.isEmpty || !isAtEnd
        call.reply(
            EncodedReply(continues: continues) { writer in
                writer.member("campaigns", encoded: campaigns.elements)
                writer.member("creatives", encoded: creatives.elements)
                writer.member("pieces", encoded: pieces.elements)
            })
        if continues { call.whenSent { self.send() } } else { onEnd() }
    }

    /// The next thing to send.
    private func next() throws(InventoryError) -> Item? {
        while waiting.isEmpty, !isAtEnd {
            let page = try service.ledger.inventoryPage(after: after, at: service.clocks())
            after = page.next
            isAtEnd = page.next == nil
            waiting = ArraySlice(page.campaigns.flatMap { items(of: $0) })
        }
        return waiting.popFirst()
    }

    private func items(of stored: StoredCampaign) -> [Item] {
        var items: [Item] = [.campaign(stored.campaign)]
        for creative in stored.campaign.creatives {
            if let file = stored.files[creative.id], sent.insert(file.path).inserted {
                items.append(.file(file))
            }
            if let creative = stored.stored(creative.id) { items.append(.creative(creative)) }
        }
        return items
    }

    private func addPiece(to page: inout AnswerPage) {
        guard let file else { return }
        let end = min(file.sent + Limits.inventoryPieceBytes, file.bytes.count)
        page.add { writer in
            writer.object { writer in
                writer.member("file", file.path)
                writer.member("sizeBytes", file.bytes.count)
                writer.member("data", Base64.encode(file.bytes[file.sent..<end]))
            }
        }
        self.file = end < file.bytes.count ? (file.path, file.bytes, end) : nil
    }
}
