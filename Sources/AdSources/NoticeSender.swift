public import OpenRTB

/// Sends notices, each once.
public protocol NoticeSender: AnyObject {
    /// Takes notices to be sent when the network allows, all of them or none. One whose id waits already is
    /// a duplicate, and done.
    func enqueue(_ notices: [Notice])
}
