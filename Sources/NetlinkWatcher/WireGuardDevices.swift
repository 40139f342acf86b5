internal import CNetlink
internal import LinuxSupport
internal import Reachability

/// Asks the kernel where a WireGuard link sends its packets.
///
/// A peer's far end moves with every packet that comes from elsewhere, and no message tells: so it is asked
/// for at each judgement that needs it, and nothing is kept but the family's number.
final class WireGuardDevices {
    private let queries: QuerySocket
    private var family: GenericFamily?

    init(queries: QuerySocket) {
        self.queries = queries
    }

    /// The far end that a link sends an address's packets to.
    /// - Returns: nil when the kernel does not tell, for want of CAP_NET_ADMIN too: the uplink is then found
    ///   by the routes.
    func farEnd(of link: Int, for destination: IPAddress) -> TunnelEnd? {
        // The number changes when the module is loaded anew: a number kept from before gets a second try.
        let isKept = family != nil
        if let end = ask(link, destination) { return end.farEnd }
        guard isKept else { return nil }
        family = nil
        return ask(link, destination)?.farEnd
    }

    private func ask(_ link: Int, _ destination: IPAddress) -> WireGuardSearch? {
        do throws(SystemError) {
            if family == nil { family = try GenericFamily.find(GenericFamily.wireGuardName, on: queries) }
            guard let family else { return nil }
            let request = GenericRequest(
                family: family.id, command: UInt8(WG_CMD_GET_DEVICE.rawValue),
                version: UInt8(WG_GENL_VERSION), flags: Int32(NLM_F_DUMP),
                word: (Int32(WGDEVICE_A_IFINDEX.rawValue), UInt32(link)))
            var search = WireGuardSearch(for: destination)
            _ = try queries.dump(request) { message in
                if message.type == family.id { search.read(message) }
            }
            return search
        } catch {
            // Not permitted, or the link has just gone, ignoring.
            return nil
        }
    }
}
