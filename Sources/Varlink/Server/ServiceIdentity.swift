/// What `org.varlink.service.GetInfo` says about a service, its interfaces aside.
public struct ServiceIdentity: Equatable, Sendable {
    /// Who makes it.
    public var vendor: String
    /// What it is called.
    public var product: String
    /// Which version runs.
    public var version: String
    /// Where to read about it.
    public var url: String

    /// Creates an identity from its parts.
    public init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}
