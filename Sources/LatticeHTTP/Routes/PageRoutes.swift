import LatticeCore

enum PageRoutes {
    /// Nothing from elsewhere, nothing inline, no frames.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'",
        "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    static let all: [Route] =
        [
            Route(.get, "/", .everybody, .file("page", "The page.")) { _, _ throws(HTTPProblem) in
                try file("index.html")
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
            Route(.get, "/\(path)", .everybody, .file(path, "A file of the page.")) { _, _ throws(HTTPProblem) in
                try file(path)
            }
        }

    private static func file(_ path: String) throws(HTTPProblem) -> HTTPReply {
        guard let file = PageFile.all[path] else { throw .notFound("The page has no such file.") }
        return HTTPReply(200, type: file.type, body: .file(file))
    }
}
