import Configuration

/// A key as a file would set it.
struct Setting: Sendable {
    let section: String
    let key: String
    let value: String

    init(_ section: String, _ key: String, _ value: String) {
        self.section = section
        self.key = key
        self.value = value
    }
}

/// The configuration that these settings make, in their order.
func configuration(_ settings: Setting...) throws -> Configuration {
    var builder = ConfigurationBuilder()
    for setting in settings {
        try builder.open(setting.section)
        try builder.set(setting.key, to: setting.value, in: setting.section)
    }
    return try builder.finish()
}

/// The configuration of sections without keys.
func configuration(sections: String...) throws -> Configuration {
    var builder = ConfigurationBuilder()
    for section in sections { try builder.open(section) }
    return try builder.finish()
}

/// The sentence that a setting is refused with, nil when it is accepted.
func refusal(_ section: String, _ key: String, _ value: String) -> String? {
    var builder = ConfigurationBuilder()
    do throws(ConfigurationFault) {
        try builder.set(key, to: value, in: section)
        return nil
    } catch {
        return error.description
    }
}

/// The sentence that a header is refused with, nil when it is accepted.
func refusal(header: String) -> String? {
    var builder = ConfigurationBuilder()
    do throws(ConfigurationFault) {
        try builder.open(header)
        return nil
    } catch {
        return error.description
    }
}

/// What shows only once all is read, nil when all is well.
func crossFault(_ settings: Setting...) throws -> ConfigurationBuilder.CrossFault? {
    var builder = ConfigurationBuilder()
    for setting in settings { try builder.set(setting.key, to: setting.value, in: setting.section) }
    do throws(ConfigurationBuilder.CrossFault) {
        _ = try builder.finish()
        return nil
    } catch {
        return error
    }
}
