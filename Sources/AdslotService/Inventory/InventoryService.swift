internal import Campaigns
internal import Ledger
internal import LinuxSupport
internal import Varlink

/// The house inventory as the daemon's parts and its clients see it.
final class InventoryService {
    /// Is told of each change, once it is on the disk.
    var onChange: (InventoryChange) -> Void = { _ in }
    /// Says how it stands with the file of an address, in words.
    var standing: (String) -> String = { _ in "" }
    /// The whole inventory, read anew each time.
    var current: [StoredCampaign] { ledger.inventory(at: ledgerService.clocks()) }

    let uploads = Uploads()
    /// Exports on their way to clients.
    var exports = 0

    private let ledgerService: LedgerService
    private let loop: EventLoop
    private let log: Log
    private var timer: LoopTimer?
    private var imports: [ImportID: ConnectionID] = [:]
    /// Imports that are complete, and the last campaign of each that has been told of.
    private var news: [(id: ImportID, told: CampaignID?)] = []

    init(_ ledger: LedgerService, loop: EventLoop, log: Log) throws(SystemError) {
        ledgerService = ledger
        self.loop = loop
        self.log = log
        timer = try loop.makeTimer { [unowned self] in work() }
        ledger.onWorking = { [unowned self] in
            // It may be another file now.
            onChange(.all(current))
            workSoon()
        }
        workSoon()
    }

    var ledger: Ledger { ledgerService.ledger }

    func clocks() -> Clocks { ledgerService.clocks() }

    /// How it stands with the file of a creative that names an address, in words.
    func fetch(_ creative: StoredCreative) -> String? { creative.address.map { standing($0) } }

    /// Tells of a campaign that is new or was edited.
    func put(_ campaign: StoredCampaign) {
        let (id, revision) = (campaign.campaign.id.value, campaign.campaign.revision)
        log.write(.info, "inventory", "campaign \(id) is at revision \(revision)")
        onChange(.put(campaign))
        workSoon()
    }

    /// Tells of a campaign that is gone.
    func removed(_ id: CampaignID) {
        log.write(.info, "inventory", "campaign \(id.value) is removed")
        onChange(.removed(id))
        workSoon()
    }

    /// What a connection has begun and not brought to its end goes with it.
    func disconnected(_ connection: ConnectionID) {
        for file in uploads.drop(connection) { ledger.release(file) }
        for (id, owner) in imports where owner == connection { giveUp(id) }
        workSoon()
    }

    /// Lets go of what is to be seen to, in steps, with everybody else served between them.
    private func workSoon() {
        guard ledger.needsTending || !news.isEmpty else { return }
        timer?.arm(at: loop.now)
    }

    private func work() {
        if !news.isEmpty {
            tellOfImport()
        } else {
            do throws(InventoryError) {
                try ledger.tendInventory(at: clocks())
            } catch {
                // Whoever writes next finds out and says it; it is tried again then, or after a while.
                timer?.arm(at: loop.now + Limits.tendingRetryMicroseconds)
                return
            }
        }
        tellOfAltered()
        workSoon()
    }

    /// Tells of campaigns whose files were mended or found broken.
    func tellOfAltered() {
        for campaign in ledger.takeAltered(at: clocks()) { onChange(.put(campaign)) }
    }

    /// Tells of some campaigns of an import.
    private func tellOfImport() {
        let first = news.removeFirst()
        // What cannot be read now is read as a whole when it can be again.
        guard let page = try? ledger.imported(by: first.id, after: first.told, at: clocks()),
            let last = page.last
        else { return }
        for campaign in page { onChange(.put(campaign)) }
        news.insert((first.id, last.campaign.id), at: 0)
    }
}

// Imports.
extension InventoryService {
    /// The import that a call goes on with, or a new one.
    func takeImport(_ number: Int?, on connection: ConnectionID) throws(InventoryError) -> ImportID {
        if let number {
            let id = ImportID(Int64(number))
            guard imports[id] == connection else { throw .noSuchImport }
            return id
        }
        let id = try ledger.beginImport(at: clocks())
        imports[id] = connection
        return id
    }

    var hasRoomForImport: Bool { imports.count < Limits.importsMax }

    /// Ends an import; its campaigns are told of from now on.
    func finish(_ id: ImportID) throws(InventoryError) -> Int {
        let count = try ledger.finish(id, at: clocks())
        imports[id] = nil
        log.write(.info, "inventory", "\(count) campaigns are imported")
        news.append((id, nil))
        workSoon()
        return count
    }

    /// Gives an import up.
    func giveUp(_ id: ImportID) {
        imports[id] = nil
        ledger.cancel(id)
        workSoon()
    }
}
