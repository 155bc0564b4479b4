/// The target of a request: a path, or an absolute URL whose host replaces the header (RFC 9112, section 3.2.2).
struct RequestTarget: Equatable {
    private static let scheme = "http://"

    /// The path with its query.
    let path: String
    /// `nil` for a path; for a URL that is not HTTP, a text that is no server's name.
    let host: String?

    init(_ target: String) {
        guard !target.hasPrefix("/"), target != "*" else {
            (path, host) = (target, nil)
            return
        }
        guard target.prefix(Self.scheme.count).lowercased() == Self.scheme else {
            (path, host) = (target, "")
            return
        }
        let rest = target.dropFirst(Self.scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let path = rest[end...].prefix { $0 != "#" }
        (self.path, host) = (path.hasPrefix("/") ? String(path) : "/\(path)", String(rest[..<end]))
    }
}
