/// Every bound of this library, by name.
public enum JSONLimits {
    /// How deep objects and arrays may nest. Reading recurses, so this bounds the stack.
    public static let nestingMax = 64

    /// The objects up to this many members are searched one by one for a duplicate key.
    static let linearSearchMax = 16
}
