/// The target of a request: a path, or an absolute URL whose host replaces the header (RFC 9112, section 3.2.2).
struct RequestTarget: Equatable {
    /// The path with its query.
    let path: String
    /// `nil` for a path; for another scheme, a text that is no server's name.
    let host: String?

    /// - Parameter scheme: of this server.
    init(_ target: String, scheme: String = "http") {
        guard !target.hasPrefix("/"), target != "*" else {
            (path, host) = (target, nil)
            return
        }
        let scheme = "\(scheme)://"
        guard target.prefix(scheme.count).lowercased() == scheme else {
            (path, host) = (target, "")
            return
        }
        let rest = target.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let path = rest[end...].prefix { $0 != "#" }
        (self.path, host) = (path.hasPrefix("/") ? String(path) : "/\(path)", String(rest[..<end]))
    }
}
