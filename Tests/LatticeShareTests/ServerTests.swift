import Foundation
import LatticeCore
import LatticeSocket
import Testing

@testable import LatticeShare

/// The server, over sockets.
@Suite(.timeLimit(.minutes(5))) struct ServerTests {
    private static func content(_ file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file))) }

    @Test func aFileComesAsItIs() async throws {
        try await ShareRig.serving(sourceBytes: 3_000_000) { rig in
            let answer = try await rig.ask("/source.bundle")
            #expect(answer.status == 200)
            #expect(answer.body == (try Self.content("\(rig.folder)/source")))
            #expect(answer.headers["content-length"] == "\(answer.body.count)")
            #expect(answer.headers["content-type"] == "application/octet-stream")
            guard case .took(.source, "127.0.0.1", answer.body.count, _) = try await rig.event() else {
                return #expect(Bool(false), "it was not counted")
            }
            #expect(rig.server.counts.count(of: .source) == 1)
        }
    }

    @Test func aDownloadGoesOnWhereItEnded() async throws {
        try await ShareRig.serving(sourceBytes: 400_000) { rig in
            let whole = try Self.content("\(rig.folder)/source")
            let first = try await rig.ask("/source.bundle", headers: ["Range: bytes=0-149999"])
            let second = try await rig.ask("/source.bundle", headers: ["Range: bytes=150000-"])
            #expect((first.status, second.status) == (206, 206))
            #expect(first.body + second.body == whole)
            guard case .took(.source, _, 250_016, _) = try await rig.event() else {
                return #expect(Bool(false), "it was not counted")
            }
        }
    }

    /// A client that ends before it has read everything has not taken the file, even if all of it was sent.
    @Test(arguments: [60_000, 30_000_000])
    func aDownloadThatIsCutOffDoesNotCount(bytes: Int) async throws {
        try await ShareRig.serving(sourceBytes: bytes) { rig in
            do {
                let socket = try rig.socket()
                socket.send(ShareRig.request("/source.bundle"))
                await socket.begins()
            }
            guard case .brokenOff(.source, "127.0.0.1", _, bytes + 16) = try await rig.event() else {
                return #expect(Bool(false), "it was counted")
            }
            #expect(rig.server.counts.isEmpty)
            await until { rig.server.connectionCount == 0 }
            // The rest makes it whole.
            let rest = try await rig.ask("/source.bundle", headers: ["Range: bytes=1-"])
            #expect(rest.status == 206 && rest.body.count == bytes + 15)
            guard case .took = try await rig.event() else { return #expect(Bool(false), "it was not counted") }
        }
    }

    /// How much of the last piece arrived, the server cannot know.
    @Test func whoGoesOnWithinAPieceHasTheFile() async throws {
        try await ShareRig.serving(sourceBytes: 100_000) { rig in
            do {
                let socket = try rig.socket(bufferBytes: 1_024)
                socket.send(ShareRig.request("/source.bundle"))
                await socket.begins()
            }
            guard case .brokenOff = try await rig.event() else { return #expect(Bool(false), "it was counted") }
            let rest = try await rig.ask("/source.bundle", headers: ["Range: bytes=1-"])
            #expect(rest.status == 206)
            guard case .took = try await rig.event() else { return #expect(Bool(false), "it was not counted") }
        }
    }

    @Test func aHeadHasNoBodyAndDoesNotCount() async throws {
        try await ShareRig.serving { rig in
            let answer = try await rig.ask("/source.bundle", method: "HEAD")
            #expect(answer.status == 200 && answer.body.isEmpty && answer.headers["content-length"] == "1016")
            #expect(try await rig.ask("/", method: "HEAD").body.isEmpty)
            #expect(rig.server.counts.isEmpty)
        }
    }

    @Test(arguments: [
        ("GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", 404), ("GET ../../etc/passwd HTTP/1.1\r\n\r\n", 400),
        ("GET /etc/passwd HTTP/1.0\r\n\r\n", 404), ("GET /lattice.deb HTTP/1.0\r\n\r\n", 404),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 405),
        ("PUT /lattice HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 405),
        ("hello\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "x", count: 9_000))\r\n\r\n", 431),
        ("GET /\(String(repeating: "x", count: 9_000))", 431),
    ])
    func otherRequestsAreRefused(request: String, status: Int) async throws {
        try await ShareRig.serving { rig in
            let socket = try rig.socket()
            socket.send(request)
            let answer = try Answered(await socket.rest())
            #expect(answer.status == status, "\(answer.text)")
            #expect(!answer.text.contains("root:"))
        }
    }

    /// A second request on the same connection is not read.
    @Test func aConnectionHasOneAnswer() async throws {
        try await ShareRig.serving { rig in
            let socket = try rig.socket()
            socket.send(ShareRig.request("/SHA256SUMS") + ShareRig.request("/SHA256SUMS"))
            let answer = try Answered(await socket.rest())
            #expect(answer.headers["connection"] == "close")
            #expect(answer.text.split(separator: "\n").count == 2)
        }
    }

    // MARK: - Limits

    @Test func aClientThatAsksNothingIsClosed() async throws {
        try await ShareRig.serving {
            $0.requestTimeout = .milliseconds(50)
        } body: { rig in
            let (silent, half) = (try rig.socket(), try rig.socket())
            half.send("GET / HTTP/1.1\r\nHo")
            #expect(await silent.rest() == [])
            #expect(await half.rest() == [])
        }
    }

    /// Also if all of the file waits in the buffers of the system.
    @Test(arguments: [60_000, 30_000_000])
    func aClientThatReadsNothingIsClosed(bytes: Int) async throws {
        try await ShareRig.serving(sourceBytes: bytes) {
            $0.pieceTimeout = .milliseconds(50)
            $0.closeTimeout = .milliseconds(50)
        } body: { rig in
            let socket = try rig.socket(bufferBytes: 4_096)
            socket.send(ShareRig.request("/source.bundle"))
            guard case .brokenOff = try await rig.event() else { return #expect(Bool(false), "it was counted") }
            await until { rig.server.connectionCount == 0 }
            withExtendedLifetime(socket) {}
        }
    }

    /// Connections without a request give way; those with one are not disturbed.
    @Test func aFloodKeepsNobodyOut() async throws {
        try await ShareRig.serving(sourceBytes: 30_000_000) {
            $0.connections.connectionsMax = 8
            $0.connections.ownAddressConnectionsMax = 6
        } body: { rig in
            let download = try rig.socket(from: 3, bufferBytes: 4_096)
            download.send(ShareRig.request("/source.bundle"))
            await download.begins()
            var halves: [ShareSocket] = []
            for _ in 0..<10 {
                for _ in 0..<4 {
                    let half = try rig.socket(from: 2)
                    half.send("GET / HTTP/1.1\r\nHo")
                    halves.append(half)
                }
                #expect(try await rig.ask("/SHA256SUMS").status == 200)
            }
            #expect(await download.rest().count > 30_000_000)
            withExtendedLifetime(halves) {}
        }
    }

    /// Beyond the limit of its address a client gets an answer; beyond a second limit it is only closed.
    @Test func moreDownloadsThanAllowedAreRefused() async throws {
        try await ShareRig.serving(sourceBytes: 30_000_000) {
            $0.connections.ownAddressConnectionsMax = 2
            $0.refusedMax = 1
        } body: { rig in
            var downloads: [ShareSocket] = []
            for _ in 0..<2 {
                let socket = try rig.socket(bufferBytes: 4_096)
                socket.send(ShareRig.request("/source.bundle"))
                await socket.begins()
                downloads.append(socket)
            }
            let refused = try rig.socket()
            let answer = try Answered(await refused.rest())
            #expect(answer.status == 503 && answer.headers["retry-after"] == "5")
            #expect(try await rig.ask("/SHA256SUMS", from: 2).status == 200)
            withExtendedLifetime(downloads) {}
        }
    }

    @Test func tooManyRequestsAreRefused() async throws {
        try await ShareRig.serving {
            $0.connections.requests = TokenBucket.Rate(perSecond: 1, burst: 3)
        } body: { rig in
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await rig.ask("/SHA256SUMS").status) }
            #expect(statuses.starts(with: [200, 200, 200]) && statuses.contains(429))
            #expect(try await rig.ask("/SHA256SUMS", from: 2).status == 200)
        }
    }

    @Test func aPortThatIsTakenIsReported() async throws {
        try await ShareRig.serving { rig in
            do {
                _ = try await ShareServer.listening(at: rig.server.address, offer: rig.offer)
                Issue.record("two listen at one address")
            } catch let fault as AddressFault {
                #expect(fault.reason == .inUse)
            }
        }
    }

    /// IPv6 sees clients of IPv4 under other names; for limits and people they are the same.
    @Test func clientsOfBothFamiliesKeepTheirAddresses() async throws {
        try await ShareRig.inFolder { folder in
            let server = try await ShareServer.listening(
                at: PeerAddress(host: "::", port: 0), offer: try ShareRig.offer(in: folder))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await server.run() }
                defer { group.cancelAll() }
                let rig = ShareRig(server: server, offer: try ShareRig.offer(in: folder), folder: folder)
                #expect(try await rig.ask("/source.bundle", from: 7).status == 200)
                guard case .took(.source, "127.0.0.7", _, _) = try await rig.event() else {
                    return #expect(Bool(false), "the address is another")
                }
                let socket = try rig.socket(from: 7)
                socket.send("GET / HTTP/1.0\r\n\r\n")
                let text = try Answered(await socket.rest()).text
                #expect(text.contains("    base='http://127.0.0.1:\(server.address.port)'\n"))
            }
        }
    }
}
