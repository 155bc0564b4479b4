import LatticeCore

enum PageRoutes {
    /// Nothing from elsewhere, nothing inline, no frames.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'",
        "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    static let all: [Route] =
        [
            Route(.get, "/", .everybody, .file("page", "The page.")) { _, call throws(HTTPProblem) in
                try file("index.html", for: call)
            },
            Route(
                .get, "/page/files.json", .everybody,
                .file("files.json", "The addresses of all files of the page, for browsers that keep them.")
            ) { _, _ throws(HTTPProblem) in
                let paths = PageFile.all.keys.filter { $0.hasPrefix("page/") }.sorted()
                let tags = PageFile.all.sorted { $0.key < $1.key }.map(\.value.tag).joined()
                return .json([
                    "version": .text(EntityTag.text(tags.utf8)), "files": .list(paths.map { .text("/\($0)") }),
                ])
            },
        ]
        + PageFile.all.keys.sorted().map { path in
            Route(.get, "/\(path)", .everybody, .file(path, "A file of the page.")) { _, call throws(HTTPProblem) in
                try file(path, for: call)
            }
        }

    private static func file(_ path: String, for call: RouteCall) throws(HTTPProblem) -> HTTPReply {
        guard let file = PageFile.all[path] else { throw .notFound("The page has no such file.") }
        guard let gzipped = file.asGzip else { return HTTPReply(200, type: file.type, body: .file(file)) }
        if Self.takesGzip(call.call.headers["accept-encoding"]) {
            let headers = ["content-encoding": "gzip", "vary": "accept-encoding"]
            return HTTPReply(200, type: file.type, headers: headers, body: .file(gzipped))
        }
        return HTTPReply(200, type: file.type, headers: ["vary": "accept-encoding"], body: .file(file))
    }

    /// RFC 9110, section 12.5.3. Without the header nothing is compressed: some programs do not expect it then.
    static func takesGzip(_ accepted: String?) -> Bool {
        let codings = (accepted ?? "").lowercased().split(separator: ",").map { coding in
            coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
        let named = codings.first { $0.first == "gzip" || $0.first == "x-gzip" } ?? codings.first { $0.first == "*" }
        guard let named else { return false }
        guard let weight = named.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return true }
        return (Double(weight.dropFirst(2)) ?? 0) > 0
    }
}
