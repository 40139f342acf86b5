@_exported public import JSON

// Messages are JSON, so whoever speaks the protocol has it at hand.
