@_exported public import LinuxBase

/// The gate for sd-event and its kin, which answer a negative errno instead of setting it.
@discardableResult
func checkNegative(_ operation: String, _ result: Int32) throws(SystemError) -> Int32 {
    if result < 0 { throw SystemError(operation: operation, code: -result) }
    return result
}
