internal import CCurl

extension HTTPFailure {
    static let outOfMemory = HTTPFailure(code: .other, description: "not enough memory")

    /// A result of libcurl that is none of its success (libcurl-errors(3)).
    init(_ result: CURLcode) {
        self.init(code: Code(result), description: unsafe String(cString: adslot_easy_error(result)))
    }
}

extension HTTPFailure.Code {
    fileprivate init(_ result: CURLcode) {
        switch result {
        case CURLE_URL_MALFORMAT: self = .invalidRequest
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .resolution
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: self = .connection
        case CURLE_OPERATION_TIMEDOUT: self = .timeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            self = .security
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: self = .interrupted
        // A scheme that is not HTTP, in a redirect, and an answer without a status line.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_BAD_CONTENT_ENCODING:
            self = .malformed
        case CURLE_TOO_MANY_REDIRECTS: self = .redirects
        default: self = .other
        }
    }
}
