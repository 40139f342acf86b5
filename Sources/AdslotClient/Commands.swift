internal import VarlinkCore

/// A size in density-independent pixels.
public struct Size: Hashable, Sendable {
    /// Its width and height.
    public var width, height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }
}

/// A place in the host's viewport, in density-independent pixels, from its upper left corner.
public struct Rectangle: Hashable, Sendable {
    /// The place of its upper left corner, and its size.
    public var x, y, width, height: Int

    /// Creates a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// What to draw: markup, or a file in the daemon's cache.
public struct Creative: Hashable, Sendable {
    /// Names it in reports.
    public var id: String
    /// The name of the source that it came from.
    public var source: String
    /// The media type of the markup or the file.
    public var mediaType: String
    /// The size that it was made for.
    public var size: Size
    /// HTML, `nil` where it is a file.
    public var markup: String?
    /// The path of a file, `nil` where it is markup.
    public var path: String?
    /// Where a touch leads.
    public var clickURL: String?
    /// Whom it advertises.
    public var advertiserDomains: [String]
}

/// An instruction to a host. Instructions are carried out in the order in which they come.
public struct Command: Hashable, Sendable {
    /// What to do.
    public enum Kind: String, CaseIterable, Sendable {
        /// Make a banner view off screen (`bannerFrame`), content untouched.
        case create
        /// Draw `creative` in `bannerFrame` and shrink the content to `contentFrame`.
        case show
        /// The banner, shown or hidden, takes new frames.
        case resize
        /// Move the banner off screen (`bannerFrame`) and give the content the whole viewport.
        case hide
        /// Drop the view: `banner` is never named again.
        case release
    }

    /// What to do.
    public var kind: Kind
    /// The banner view.
    public var banner: Int
    /// The place of the banner.
    public var bannerFrame: Rectangle
    /// The place of the host's own content.
    public var contentFrame: Rectangle
    /// What to draw; with `show` always, otherwise never.
    public var creative: Creative?
    /// Why, in a word; `disconnected` for what the library says itself when the daemon is gone.
    public var reason: String
}

extension Size {
    init(_ value: JSONValue?) throws(AdslotError) {
        self.init(width: try value.number("width"), height: try value.number("height"))
    }

    var json: JSONValue { ["width": .integer(Int64(width)), "height": .integer(Int64(height))] }
}

extension Rectangle {
    init(_ value: JSONValue?) throws(AdslotError) {
        self.init(
            x: try value.number("x"), y: try value.number("y"), width: try value.number("width"),
            height: try value.number("height"))
    }
}

extension Creative {
    init(_ value: JSONValue) throws(AdslotError) {
        id = try value.text("id")
        source = try value.text("source")
        mediaType = try value.text("mediaType")
        size = try Size(value["size"])
        markup = value["markup"]?.string
        path = value["path"]?.string
        clickURL = value["clickURL"]?.string
        advertiserDomains = (value["advertiserDomains"]?.array ?? []).compactMap(\.string)
    }
}

extension Command {
    init(_ value: JSONValue) throws(AdslotError) {
        let word = try value.text("kind")
        guard let kind = Kind(rawValue: word) else { throw .malformed("a command of kind '\(word)'") }
        self.kind = kind
        banner = try value.number("banner")
        bannerFrame = try Rectangle(value["bannerFrame"])
        contentFrame = try Rectangle(value["contentFrame"])
        reason = try value.text("reason")
        switch value["creative"] {
        case nil, .null?: creative = nil
        case let value?: creative = try Creative(value)
        }
        guard (kind == .show) == (creative != nil) else {
            throw .malformed("a creative that does not belong")
        }
    }
}

/// Members that must be there.
extension JSONValue? {
    func number(_ key: String) throws(AdslotError) -> Int {
        guard let value = self?[key]?.integer else { throw .malformed("no number '\(key)'") }
        return Int(value)
    }
}

extension JSONValue {
    func number(_ key: String) throws(AdslotError) -> Int { try Optional(self).number(key) }

    func text(_ key: String) throws(AdslotError) -> String {
        guard let value = self[key]?.string else { throw .malformed("no text '\(key)'") }
        return value
    }
}
