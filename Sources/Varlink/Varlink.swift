@_exported public import VarlinkCore

// Whoever serves speaks the protocol too, so it comes along.
