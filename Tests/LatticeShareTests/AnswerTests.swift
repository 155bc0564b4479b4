import LatticeSocket
import NIOHTTP1
import Testing

@testable import LatticeShare

/// Which answer a request gets.
@Suite struct AnswerTests {
    private static let here = "192.168.1.7:8090"

    private static func head(
        _ target: String, _ method: HTTPMethod = .GET, _ headers: [(String, String)] = []
    ) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: HTTPHeaders(headers))
    }

    private static func answer(
        _ target: String, _ method: HTTPMethod = .GET, _ headers: [(String, String)] = []
    ) async throws -> ShareAnswer {
        try await ShareRig.inFolder { folder in
            try ShareRig.offer(in: folder).answer(to: ShareRequest(head(target, method, headers)), here: here)
        }
    }

    private static func text(_ answer: ShareAnswer) throws -> String {
        guard case .text(let text) = answer.body else {
            Issue.record("it is a file")
            return ""
        }
        return text
    }

    @Test(arguments: [
        ([("accept", "*/*"), ("user-agent", "curl/8.5.0")], false), ([("user-agent", "Wget/1.21")], false),
        ([("user-agent", "Wget")], false), ([], false),
        ([("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"), ("user-agent", "Mozilla/5.0")], true),
        ([("accept", "*/*"), ("user-agent", "Mozilla/5.0 (Android 14)")], true),
        ([("accept", "text/html, text/plain"), ("user-agent", "Lynx/2.9")], true),
    ])
    func aBrowserGetsThePageAndAShellTheScript(headers: [(String, String)], isPage: Bool) async throws {
        let text = try Self.text(try await Self.answer("/", .GET, headers))
        #expect(text.hasPrefix(isPage ? "<!doctype html>" : "#!/bin/sh\n"))
        #expect(text.contains("http://\(Self.here)"))
    }

    @Test(arguments: [
        ("/install.sh", 200), ("/SHA256SUMS", 200), ("/lattice", 200), ("/lattice?x=1", 200),
        ("http://192.168.1.7:8090/lattice", 200), ("http://192.168.1.7:8090", 200), ("/source.bundle", 200),
        ("/lattice.deb", 404), ("/../../etc/passwd", 404), ("../../etc/passwd", 404),
        ("/lattice/../../etc/passwd", 404),
        ("/%2e%2e/%2e%2e/etc/passwd", 404), ("//etc/passwd", 404), ("//lattice", 404), ("/Lattice", 404),
        ("/lattice/", 404), ("/lattice%00", 404), ("/etc/passwd", 404), ("/proc/self/exe", 404), ("/.git/config", 404),
        ("*", 404), ("", 404), ("file:///etc/passwd", 404), ("/favicon.ico", 404),
    ])
    func onlyTheListedPathsAreThere(target: String, status: Int) async throws {
        #expect(try await Self.answer(target).status == status)
        #expect(try await Self.answer(target, .HEAD).status == status)
    }

    @Test(arguments: [HTTPMethod.POST, .PUT, .DELETE, .OPTIONS, .CONNECT, .RAW(value: "BREW")])
    func nothingIsTaken(method: HTTPMethod) async throws {
        let answer = try await Self.answer("/lattice", method)
        #expect(answer.status == 405)
        #expect(answer.headers.contains { $0 == ("allow", "GET, HEAD") })
    }

    @Test(arguments: [
        ("camp.local:8090", "http://camp.local:8090/lattice"), ("[fd00::7]:8090", "http://[fd00::7]:8090/lattice"),
        ("x'; rm -rf ~; '", "http://192.168.1.7:8090/lattice"), ("a b", "http://192.168.1.7:8090/lattice"),
        ("$(id)", "http://192.168.1.7:8090/lattice"), ("<script>", "http://192.168.1.7:8090/lattice"),
        ("", "http://192.168.1.7:8090/lattice"),
    ])
    func theAddressIsTheOneThatTheClientUsesIfItIsProper(host: String, link: String) async throws {
        let answer = try await Self.answer("/", .GET, [("host", host)])
        let base = link.dropLast("/lattice".count)
        #expect(try Self.text(answer).contains("    base='\(base)'\n"))
    }

    @Test func theSumsAreThoseOfAllFiles() async throws {
        try await ShareRig.inFolder { folder in
            let offer = try ShareRig.offer(in: folder)
            let source = try #require(offer.source)
            let answer = offer.answer(to: ShareRequest(Self.head("/SHA256SUMS")), here: Self.here)
            #expect(try Self.text(answer) == "\(offer.program.sum)  lattice\n\(source.sum)  source.bundle\n")
        }
    }

    @Test func thePageNeedsNoScriptAndEscapesTheLink() async throws {
        let page = try Self.text(try await Self.answer("/", .GET, [("accept", "text/html")]))
        #expect(!page.contains("<script") && !page.contains("http-equiv"))
        #expect(page.contains("<pre>lattice join 'lattice://join/it%27s?v=1&amp;closed=1'</pre>"))
    }

    @Test(
        arguments: [
            ("bytes=0-", 206, "bytes 0-1015/1016"), ("bytes=1000-", 206, "bytes 1000-1015/1016"),
            ("bytes=-6", 206, "bytes 1010-1015/1016"), ("bytes=5-5", 206, "bytes 5-5/1016"),
            ("bytes=1016-", 416, "bytes */1016"), ("bytes=-0", 416, "bytes */1016"), ("bytes=5-4", 200, nil),
            ("bytes=0-1,3-4", 200, nil), ("lines=0-1", 200, nil), ("bytes=x-", 200, nil),
        ] as [(String, Int, String?)])
    func aPartIsSentIfOneIsAskedFor(range: String, status: Int, place: String?) async throws {
        let answer = try await Self.answer("/source.bundle", .GET, [("range", range)])
        #expect(answer.status == status)
        #expect(answer.headers.first { $0.0 == "content-range" }?.1 == place)
    }

    /// What was fetched of an earlier version is not completed with this one.
    @Test func aPartOfAnotherVersionIsSentAsAWhole() async throws {
        let headers = [("range", "bytes=1000-"), ("if-range", "\"other\"")]
        #expect(try await Self.answer("/source.bundle", .GET, headers).status == 200)
        let tag = try #require(
            try await Self.answer("/source.bundle").headers.first { $0.0 == "etag" }?.1)
        let same = [("range", "bytes=1000-"), ("if-range", tag)]
        #expect(try await Self.answer("/source.bundle", .GET, same).status == 206)
    }

    @Test(arguments: [
        ("bytes=0-9", ByteRange.part(0..<10)), ("bytes=90-", .part(90..<100)), ("bytes=90-1000", .part(90..<100)),
        ("bytes=-1000", .part(0..<100)), ("BYTES= 1 - 2", .part(1..<3)), ("bytes=100-", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-99999999999999999999", .part(0..<100)),
        ("bytes=9223372036854775807-9223372036854775807", .unsatisfiable), ("bytes=--1", .whole), ("bytes=-", .whole),
        ("bytes=", .whole), ("bytes=+1-2", .whole), ("", .whole),
    ])
    func rangesAreRead(header: String, range: ByteRange) {
        #expect(ByteRange(header, of: 100) == range)
    }

    @Test func anEmptyFileHasNoParts() {
        #expect(ByteRange("bytes=0-", of: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-5", of: 0) == .unsatisfiable)
        #expect(ByteRange(nil, of: 0) == .whole)
    }
}
