/// The interfaces' descriptions, as the build embeds them from Interfaces/.
enum InterfaceText {
    static let campaigns = text(PackageResources.org_adslotd_Campaigns_varlink)
    static let ledger = text(PackageResources.org_adslotd_Ledger_varlink)
    static let manager = text(PackageResources.org_adslotd_Manager_varlink)
    static let reachability = text(PackageResources.org_adslotd_Reachability_varlink)
    static let slots = text(PackageResources.org_adslotd_Slots_varlink)
    static let work = text(PackageResources.org_adslotd_Work_varlink)

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
