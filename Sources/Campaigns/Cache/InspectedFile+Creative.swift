extension InspectedFile {
    /// What an earlier inspection found.
    public init(format: CreativeFormat, pixels: CreativeSize?, sizeBytes: Int) {
        self.format = format
        self.pixels = pixels
        self.sizeBytes = sizeBytes
    }

    /// Throws where a creative is made of something else, or of another size.
    public func check(fits creative: Creative) throws(FileFault) {
        guard format.kind == creative.kind else { throw .wrongKind(format) }
        try check(fits: creative.size)
    }
}
