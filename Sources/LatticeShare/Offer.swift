import LatticeSocket

/// All that is served: a fixed list of files, and how to go on with them.
package struct Offer: Sendable {
    package let program: SharedFile
    /// As `uname -m` prints it.
    package let machine: String
    package let debian: SharedFile?
    package let source: SharedFile?
    /// The words after `lattice` with which a newcomer goes on: `["chat"]`, or `["join", LINK]`. Asked for each page
    /// and script, because a chat may start or end meanwhile.
    package let next: @Sendable () -> [String]

    package init(
        program: SharedFile, machine: String, debian: SharedFile?, source: SharedFile?,
        next: @escaping @Sendable () -> [String]
    ) {
        (self.program, self.machine, self.debian, self.source) = (program, machine, debian, source)
        self.next = next
    }

    package var files: [SharedFile] { [program, debian, source].compactMap(\.self) }

    /// `next` as a person types it.
    package var nextText: String { ShellWords.text(next()) }
}

extension Offer {
    static let scriptPath = "/install.sh"
    static let sumsPath = "/SHA256SUMS"

    /// - Parameter here: where the client has reached this machine: `192.168.1.7:8090`.
    func answer(to request: ShareRequest, here: String) -> ShareAnswer {
        guard request.isReading else {
            return .text(405, "Nothing can be sent here; only GET and HEAD are answered.\n", [("allow", "GET, HEAD")])
        }
        let base = "http://\(request.host ?? here)"
        switch request.path {
        case "/":
            let answer =
                request.wantsPage
                ? ShareAnswer(200, SharePage(self, base).text, type: "text/html; charset=utf-8")
                : script(base)
            return answer.with("vary", "Accept, User-Agent")
        case Self.scriptPath: return script(base)
        case Self.sumsPath: return .text(200, files.map { "\($0.sum)  \($0.kind.path.dropFirst())\n" }.joined())
        default:
            guard let file = files.first(where: { $0.kind.path == request.path }) else {
                return .text(404, "There is nothing here but \(base)/\n")
            }
            return answer(with: file, to: request)
        }
    }

    private func script(_ base: String) -> ShareAnswer {
        ShareAnswer(200, InstallScript(self, base).text, type: "text/plain; charset=utf-8")
    }

    private func answer(with file: SharedFile, to request: ShareRequest) -> ShareAnswer {
        let tag = "\"\(file.sum)\""
        // With another version of the file, a client must begin anew.
        let isSame = request.ifRange == nil || request.ifRange == tag
        let headers = [
            ("accept-ranges", "bytes"), ("etag", tag), ("content-disposition", "attachment; filename=\"\(file.name)\""),
        ]
        switch ByteRange(isSame ? request.range : nil, of: file.bytes) {
        case .whole: return ShareAnswer(200, file, 0..<file.bytes, headers)
        case .part(let range):
            let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.bytes)"
            return ShareAnswer(206, file, range, headers + [("content-range", place)])
        case .unsatisfiable:
            return .text(416, "The file has \(file.bytes) bytes.\n", [("content-range", "bytes */\(file.bytes)")])
        }
    }
}

struct ShareAnswer: Sendable {
    enum Body: Sendable {
        case text(String)
        case file(SharedFile, Range<Int>)
    }

    let status: Int
    private(set) var headers: [(String, String)]
    let body: Body

    init(_ status: Int, _ text: String, type: String, _ headers: [(String, String)] = []) {
        self.status = status
        self.headers = Self.common + [("content-type", type), ("content-length", "\(text.utf8.count)")] + headers
        body = .text(text)
    }

    init(_ status: Int, _ file: SharedFile, _ range: Range<Int>, _ headers: [(String, String)]) {
        self.status = status
        self.headers =
            Self.common + [("content-type", "application/octet-stream"), ("content-length", "\(range.count)")] + headers
        body = .file(file, range)
    }

    static func text(_ status: Int, _ text: String, _ headers: [(String, String)] = []) -> ShareAnswer {
        ShareAnswer(status, text, type: "text/plain; charset=utf-8", headers)
    }

    func with(_ name: String, _ value: String) -> ShareAnswer {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }

    /// One request a connection: the way in which it ends then says whether the client has read everything.
    private static let common = [
        ("connection", "close"), ("cache-control", "no-store"), ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    ]
}
