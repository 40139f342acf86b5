internal import LinuxSupport
internal import Timeline
internal import Varlink

/// `timeline`: takes what happened, and draws it.
struct TimelineTaker {
    /// How long the next page may take.
    private static let timeout = Duration.seconds(30)

    let client: VarlinkClient

    /// Takes the timeline of a span; when it returns, all of it has come.
    func take(_ span: Span) throws(Failure) -> TakenTimeline {
        var timeline = TakenTimeline()
        do throws(VarlinkClientError) {
            let replies = try client.callMore(
                "org.adslotd.Ledger.Timeline", span.parameters, timeout: Self.timeout)
            while let page = try replies.next(timeout: Self.timeout) {
                guard timeline.add(page) else { throw .malformedReply }
            }
            guard timeline.extent != nil else { throw .malformedReply }
        } catch {
            throw Failure(error)
        }
        return timeline
    }
}

/// A timeline as the daemon told it.
struct TakenTimeline {
    private(set) var device = ""
    private(set) var extent: Extent?
    private(set) var marks: [Mark] = []
    private(set) var counts: [SlotCount] = []

    /// Adds a page.
    /// - Returns: false where it is none.
    mutating func add(_ page: JSONObject) -> Bool {
        if let extent = page["extent"], !extent.isNull {
            guard let since = extent["since"]?.integer, let until = extent["until"]?.integer,
                let now = extent["now"]?.integer, let device = extent["device"]?.string
            else { return false }
            self.extent = Extent(since: since, until: until, now: now)
            self.device = device
        }
        guard let marks = page["marks"]?.array, let slots = page["slots"]?.array,
            marks.count + self.marks.count <= Timeline.Limits.marksMax
        else { return false }
        for value in marks {
            guard let kind = value["kind"]?.string.flatMap({ Mark.Kind(rawValue: $0) }),
                let time = value["time"]?.integer
            else { return false }
            self.marks.append(
                Mark(
                    kind, at: time, value["subject"]?.string, state: value["state"]?.string,
                    isReachable: value["reachable"]?.bool))
        }
        for value in slots {
            guard let slot = value["slot"]?.string, let impressions = value["impressions"]?.integer,
                let actions = value["actions"]?.integer
            else { return false }
            counts.append(SlotCount(slot, impressions: impressions, actions: actions))
        }
        return true
    }

    /// Draws it into a file, which is there afterwards only when all of it is.
    func write(to path: String) throws(Failure) {
        guard let extent else { return }
        let zone = LocalZone { SystemClock.localZone(at: $0) }
        let picture = Picture(of: Chronicle(marks, counts: counts, in: extent), device: device, zone: zone)
        do throws(SystemError) {
            try AtomicFile.write(Array(picture.svg().utf8), to: path)
        } catch {
            throw Failure(code: .refused, message: "\(error)")
        }
    }
}
