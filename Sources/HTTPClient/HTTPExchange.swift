internal import CCurl

/// A request and what has come of its answer so far.
@safe
public final class HTTPExchange {
    let easy: UnsafeMutableRawPointer

    private let request: HTTPRequest
    private weak var client: HTTPClient?
    private var completion: ((Result<HTTPResponse, HTTPFailure>) -> Void)?
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var headers = HeaderReader()
    private var body: [UInt8] = []
    private var isTooLong = false

    init(
        _ request: HTTPRequest, userAgent: String, client: HTTPClient,
        completion: @escaping (Result<HTTPResponse, HTTPFailure>) -> Void
    ) throws(HTTPFailure) {
        try RequestCheck.check(request)
        guard let created = unsafe adslot_easy_init() else { throw .outOfMemory }
        unsafe easy = created
        self.request = request
        self.client = client
        self.completion = completion
        try setBounds()
        try setRequest(userAgent: userAgent)
        try setCallbacks()
    }

    deinit {
        unsafe adslot_easy_cleanup(easy)
        if let fields = unsafe fields { unsafe adslot_list_free(fields) }
    }

    /// How many bytes of the body have come, those that were too many left out.
    public var bodyBytesReceived: Int { body.count }

    /// Ends the exchange: the completion is not called any more.
    public func cancel() {
        abandon()
        client?.cancel(self)
    }

    func abandon() {
        completion = nil
    }

    func complete(_ result: Result<HTTPResponse, HTTPFailure>) {
        let completion = completion
        abandon()
        completion?(result)
    }

    /// What the exchange came to, once libcurl has ended it with `code`.
    func result(_ code: CURLcode) -> Result<HTTPResponse, HTTPFailure> {
        if headers.isTooLong {
            return .failure(HTTPFailure(code: .tooLong, description: "the headers are too long"))
        }
        if isTooLong && request.longBody == .fails || code == CURLE_FILESIZE_EXCEEDED {
            return .failure(
                HTTPFailure(
                    code: .tooLong, description: "the body is longer than \(request.bodyBytesMax) bytes"))
        }
        guard code == CURLE_OK || isTooLong else { return .failure(HTTPFailure(code)) }
        let status = unsafe adslot_easy_number(easy, CURLINFO_RESPONSE_CODE)
        return .success(
            HTTPResponse(status: status, headers: headers.fields, body: body, isCut: isTooLong))
    }
}

// What libcurl is told about the request.
extension HTTPExchange {
    private func setBounds() throws(HTTPFailure) {
        try set(CURLOPT_TIMEOUT_MS, milliseconds(request.timeout))
        try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.connectTimeout))
        // No signals, and no waiting for the resolver's thread when an exchange ends before it.
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        let isSecure = request.url.prefix { $0 != ":" }.lowercased() == "https"
        try set(CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : "http,https")
        try set(CURLOPT_POSTREDIR, adslot_redirect_post_all)
        try set(CURLOPT_FOLLOWLOCATION, request.redirectsMax > 0 ? 1 : 0)
        try set(CURLOPT_MAXREDIRS, request.redirectsMax)
        try set(CURLOPT_PROXY, "")
        // Whoever sends next to nothing for long is cut off, however much time there is.
        try set(CURLOPT_LOW_SPEED_LIMIT, Limits.slowBytesPerSecond)
        try set(CURLOPT_LOW_SPEED_TIME, Limits.slowSeconds)
        // One that says beforehand that it is too long is not begun.
        if request.longBody == .fails { try set(CURLOPT_MAXFILESIZE, request.bodyBytesMax) }
        if request.acceptsCompression { try set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        if let interface = request.interface { try set(CURLOPT_INTERFACE, "if!\(interface)") }
        guard request.startsAfresh else { return }
        try set(CURLOPT_FRESH_CONNECT, 1)
        try set(CURLOPT_FORBID_REUSE, 1)
        try set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
        try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }

    private func setRequest(userAgent: String) throws(HTTPFailure) {
        try set(CURLOPT_URL, request.url)
        try set(CURLOPT_USERAGENT, userAgent)
        switch request.method {
        case .get:
            try set(CURLOPT_HTTPGET, 1)
        case .post(let content):
            try set(CURLOPT_POST, 1)
            // The size first: the copy is made by it.
            guard
                unsafe adslot_easy_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.count))
                    == CURLE_OK
            else { throw .outOfMemory }
            var content = content
            let code = unsafe content.withUnsafeMutableBytes { space in
                unsafe adslot_easy_set_data(easy, CURLOPT_COPYPOSTFIELDS, space.baseAddress)
            }
            guard code == CURLE_OK else { throw .outOfMemory }
        }
        for header in request.headers {
            // "Name:" would take a field away; "Name;" sends an empty one.
            try addField(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        if unsafe fields != nil, unsafe adslot_easy_set_list(easy, CURLOPT_HTTPHEADER, fields) != CURLE_OK {
            throw .outOfMemory
        }
    }

    private func addField(_ line: String) throws(HTTPFailure) {
        guard let list = unsafe adslot_list_append(fields, line) else { throw .outOfMemory }
        unsafe fields = list
    }

    private func setCallbacks() throws(HTTPFailure) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let codes = unsafe [
            adslot_easy_set_data(easy, CURLOPT_WRITEDATA, me),
            adslot_easy_set_data(easy, CURLOPT_HEADERDATA, me),
            adslot_easy_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
                unsafe HTTPExchange.from(context)?.take(
                    UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
            },
            adslot_easy_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
                unsafe HTTPExchange.from(context)?.takeHeader(
                    UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
            },
        ]
        guard codes.allSatisfy({ $0 == CURLE_OK }) else { throw .outOfMemory }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> HTTPExchange? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    }

    /// Takes a piece of the body.
    /// - Returns: how many bytes were taken; fewer than came end the transfer.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        let room = request.bodyBytesMax - body.count
        unsafe body.append(contentsOf: bytes.prefix(room))
        guard bytes.count > room else { return bytes.count }
        isTooLong = true
        return -1
    }

    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        unsafe headers.take(String(decoding: bytes, as: UTF8.self), byteCount: bytes.count) ? bytes.count : -1
    }

    private func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        // 0 would mean no bound at all.
        return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    private func set(_ option: CURLoption, _ number: Int) throws(HTTPFailure) {
        let code = unsafe adslot_easy_set_number(easy, option, number)
        guard code == CURLE_OK else { throw HTTPFailure(code) }
    }

    private func set(_ option: CURLoption, _ text: String) throws(HTTPFailure) {
        let code = unsafe adslot_easy_set_text(easy, option, text)
        guard code == CURLE_OK else { throw HTTPFailure(code) }
    }
}
