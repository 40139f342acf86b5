/// The interface that every Varlink service has (varlink.org, "Service").
struct ServiceInterface {
    static let name = "org.varlink.service"

    static let description = """
        # Every Varlink service describes itself by this interface.
        interface org.varlink.service

        # Who is this, and which interfaces are here?
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The description of one interface, in the interface definition language.
        method GetInterfaceDescription(interface: string) -> (description: string)

        error InterfaceNotFound (interface: string)
        error MethodNotFound (method: string)
        error MethodNotImplemented (method: string)
        error InvalidParameter (parameter: string)
        error PermissionDenied ()
        error ExpectedMore ()

        """

    let identity: ServiceIdentity
    private(set) var descriptions = [(name: Self.name, text: Self.description)]

    init(identity: ServiceIdentity) {
        self.identity = identity
    }

    mutating func add(_ interface: VarlinkInterface) {
        descriptions.append((interface.name, interface.description))
    }

    func getInfo(_ call: VarlinkCall) throws(ParameterError) {
        try call.expectNoParameters()
        call.reply([
            "vendor": .string(identity.vendor),
            "product": .string(identity.product),
            "version": .string(identity.version),
            "url": .string(identity.url),
            "interfaces": .array(descriptions.map { .string($0.name) }),
        ])
    }

    func getInterfaceDescription(_ call: VarlinkCall) throws(ParameterError) {
        let name = try call.read { parameters throws(ParameterError) in try parameters.string("interface") }
        guard let found = descriptions.first(where: { $0.name == name }) else {
            return call.fail(.interfaceNotFound(name))
        }
        call.reply(["description": .string(found.text)])
    }
}
