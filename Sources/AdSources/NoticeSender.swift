public import OpenRTB

/// Sends notices, each once.
public protocol NoticeSender: AnyObject {
    /// Takes a notice to be sent when the network allows. One whose id was taken before is a duplicate, and
    /// done.
    func enqueue(url: String, kind: Notice.Kind, id: String)
}

extension NoticeSender {
    /// Takes a notice.
    func enqueue(_ notice: Notice) {
        enqueue(url: notice.url, kind: notice.kind, id: notice.id)
    }
}
