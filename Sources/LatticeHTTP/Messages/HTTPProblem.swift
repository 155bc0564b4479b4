import LatticeAPI
package import LatticeCore

/// A problem report (RFC 9457); `detail` says what to do.
package struct HTTPProblem: Error, Sendable {
    package struct Fault: Hashable, Sendable {
        /// Stable, for programs: `text`, `lat`, `starts`, …
        package let field: String
        /// One sentence that says what to do.
        package let reason: String

        package init(_ field: String, _ reason: String) {
            (self.field, self.reason) = (field, reason)
        }
    }

    package let status: Int
    /// Stable, for programs.
    package let code: String
    package let detail: String
    package var faults: [Fault] = []
    /// Places that may be the one that somebody wants to make.
    var similar: [SimilarPlace] = []
    package var headers: [String: String] = [:]

    package init(_ status: Int, _ code: String, _ detail: String, faults: [Fault] = []) {
        self.status = status
        self.code = code
        self.detail = detail
        self.faults = faults
    }

    /// - Parameter faults: each with the field and what is wrong with it.
    package static func invalid(_ faults: Fault...) -> HTTPProblem { invalid(faults) }

    package static func invalid(_ faults: [Fault]) -> HTTPProblem {
        HTTPProblem(422, "invalid", sentence(faults.map(\.reason).joined(separator: "; ")), faults: faults)
    }

    static let placeNeeded = HTTPProblem(
        422, "placeNeeded", "A place is needed. Give lat and lon, or set a place once with PUT /v1/here.",
        faults: placeFaults)

    static let placeFaults = ["lat", "lon"].map { Fault($0, "\($0) is missing; give it in degrees") }

    package static func notFound(_ detail: String) -> HTTPProblem { HTTPProblem(404, "notFound", detail) }

    /// Too many requests, from one address or in total.
    static let tooMany: HTTPProblem = {
        var problem = HTTPProblem(429, "tooMany", "Too many requests. Wait a second, then try again.")
        problem.headers["retry-after"] = "1"
        return problem
    }()

    static let tooManyOfVisitor: HTTPProblem = {
        var problem = HTTPProblem(429, "tooMany", "Too many changes at once. Wait a moment.")
        problem.headers["retry-after"] = "1"
        return problem
    }()

    static let tooManyFromHere = HTTPProblem(
        429, "tooMany", "Too many people came from this device. Sign in with a recovery code instead.")

    /// Somebody without a name on a node that has visitors.
    /// A visitor asks for what is the owner's alone.
    static let ownersOnly = HTTPProblem(
        403, "ownersOnly", "Only the owner of this node can do that. Ask them, or run your own node.")

    static let nameNeeded = HTTPProblem(
        401, "nameNeeded", "Say who you are first. POST /v1/visit takes your name.")

    /// - Parameter allowed: the allowed methods (RFC 9110, section 15.5.6).
    static func wrongMethod(allowed: [String]) -> HTTPProblem {
        var problem = HTTPProblem(
            405, "wrongMethod", "This method is not allowed here. The header Allow lists those that are.")
        problem.headers["allow"] = allowed.joined(separator: ", ")
        return problem
    }

    package static let tokenNeeded = tokenNeeded("You need the token. Open the link that 'lattice web' prints.")

    package static func tokenNeeded(_ detail: String) -> HTTPProblem {
        var problem = HTTPProblem(401, "tokenNeeded", detail)
        problem.headers["www-authenticate"] = "Bearer realm=\"lattice\""
        return problem
    }

    package var json: JSON {
        [
            "type": "about:blank", "title": .text(HTTPStatusText.text(status)), "status": .integer(status),
            "detail": .text(detail), "code": .text(code),
            "errors": faults.isEmpty
                ? nil : .list(faults.map { ["field": .text($0.field), "reason": .text($0.reason)] }),
            "similar": similar.isEmpty ? nil : .list(similar.map(\.json)),
        ]
    }

    package var reply: HTTPReply {
        var reply = HTTPReply.json(json, status, type: "application/problem+json")
        reply.headers = headers
        return reply
    }

    /// Adds a capital and a full stop: reasons are parts of sentences.
    static func sentence(_ text: String) -> String {
        let large = text.prefix(1).uppercased() + text.dropFirst()
        return large.hasSuffix(".") ? large : large + "."
    }
}

/// Reason phrases of statuses (RFC 9110, section 15).
enum HTTPStatusText {
    static func text(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 507: "Insufficient Storage"
        default: "Internal Server Error"
        }
    }
}
