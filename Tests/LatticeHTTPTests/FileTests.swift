import Foundation
import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeHTTP

/// Files that people share, for programs and browsers.
@Suite(.timeLimit(.minutes(5))) struct FileTests {
    private static let content = "/v1/files/\(Sample.file.id.hex)/content"

    @Test func filesAreListedForTheOwner() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("GET", "/v1/files").status == 401)
            let items = try #require(try await rig.own("GET", "/v1/files").object()["items"] as? [[String: Any]])
            #expect(items.map { $0["state"] as? String } == ["here", "coming"])
            #expect(items[0]["name"] as? String == "a b.html" && items[0]["size"] as? Int == 600_000)
        }
    }

    @Test func aFileThatTheOtherHasIsMarked() async throws {
        try await HTTPRig.serving { rig in
            let list = try #require(
                try await rig.own("GET", "/v1/files?person=dave").object()["items"] as? [[String: Any]])
            #expect(list.map { $0["delivered"] as? Bool } == [true])
            let others = try #require(try await rig.own("GET", "/v1/files").object()["items"] as? [[String: Any]])
            #expect(others.allSatisfy { $0["delivered"] == nil })
        }
    }

    @Test func theContentIsNeverShownAsAPage() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("GET", Self.content).status == 401)
            let reply = try await rig.own("GET", Self.content)
            #expect(reply.status == 200 && Array(reply.body) == Sample.fileBytes)
            #expect(reply.headers["content-type"] == "application/octet-stream")
            #expect(reply.headers["content-disposition"] == "attachment; filename*=UTF-8''a%20b.html")
            #expect(reply.headers["content-security-policy"] == "sandbox; default-src 'none'")
            #expect(reply.headers["x-content-type-options"] == "nosniff")
            let tag = try #require(reply.headers["etag"])
            #expect(try await rig.own("GET", Self.content, headers: ["If-None-Match": tag]).status == 304)
            let head = try await rig.own("HEAD", Self.content)
            #expect(head.status == 200 && head.headers["content-length"] == "600000" && head.body.isEmpty)
        }
    }

    @Test func aRangeIsAPartOfIt() async throws {
        try await HTTPRig.serving { rig in
            let part = try await rig.own("GET", Self.content, headers: ["Range": "bytes=299990-300009"])
            #expect(part.status == 206 && Array(part.body) == Array(Sample.fileBytes[299_990...300_009]))
            #expect(part.headers["content-range"] == "bytes 299990-300009/600000")
            let outside = try await rig.own("GET", Self.content, headers: ["Range": "bytes=600000-"])
            #expect(outside.status == 416 && outside.headers["content-range"] == "bytes */600000")
            let changed = ["Range": "bytes=0-1", "If-Range": "\"another\""]
            #expect(try await rig.own("GET", Self.content, headers: changed).status == 200)
        }
    }

    @Test func whatIsNotHereIsFetchedFirst() async throws {
        try await HTTPRig.serving { rig in
            let path = "/v1/files/\(Sample.fileElsewhere.id.hex)"
            let early = try await rig.own("GET", "\(path)/content")
            #expect(early.status == 409 && early.text.contains("POST \(path)/fetch fetches it"))
            #expect(try await rig.own("POST", "\(path)/fetch").object()["state"] as? String == "coming")
            #expect(await rig.node.requests.last == AnyHashable(GetFile(Sample.fileElsewhere.id.hex, into: nil)))
            let unknown = try await rig.own("GET", "/v1/files/\(Sample.record(77).hex)/content")
            #expect(unknown.status == 404)
        }
    }

    @Test func aFileIsPassedOnWhileItComes() async throws {
        let bytes = [UInt8](repeating: 0x61, count: 300_000)
        for isChunked in [false, true] {
            try await HTTPRig.serving { rig in
                let reply = try await rig.send(
                    String(decoding: bytes, as: UTF8.self), to: "/v1/files?name=a%20b.txt&room=lobby",
                    isChunked: isChunked)
                #expect(reply.status == 201)
                #expect(reply.headers["location"] == "/v1/files/\(Sample.file.id.hex)")
                let asked = await rig.node.requests
                #expect(asked.first == AnyHashable(BeginUpload(for: .room(try RoomName("#lobby")))))
                #expect(asked.last == AnyHashable(ShareUpload(Sample.upload, as: "a b.txt")))
                let pieces = asked.compactMap { $0.base as? AppendUpload }
                #expect(pieces.flatMap(\.bytes) == bytes)
                var end: Int64 = 0
                for piece in pieces {
                    #expect(piece.offset == end)
                    end += Int64(piece.bytes.count)
                }
            }
        }
    }

    @Test func aFileThatIsRefusedIsNotKept() async throws {
        try await HTTPRig.serving { rig in
            let target = "/v1/files?name=refused&room=park"
            let refused = try await rig.send("hi", to: target)
            #expect(refused.status == 409 && refused.text.contains("#park is private"))
            #expect(await rig.node.requests.last == AnyHashable(CancelUpload(Sample.upload)))
            let before = await rig.node.requests.count
            for (target, words) in [
                ("/v1/files?room=park", "name is missing"), ("/v1/files?name=a", "room or person is missing"),
                ("/v1/files?name=a&room=park&person=bob", "give either room or person"),
            ] {
                let refused = try await rig.send("hi", to: target)
                #expect(refused.status == 422 && refused.text.contains(words))
                #expect(refused.headers["connection"] == "close")
            }
            #expect(try await rig.ask("POST", target, body: "hi").status == 401)
            let length = ["Content-Length": "\(FileInfo.sizeMax + 1)"]
            #expect(try await rig.own("POST", target, headers: length).status == 413)
            #expect(await rig.node.requests.count == before)
        }
    }

    @Test func aFileForOnePersonIsPrivate() async throws {
        try await HTTPRig.serving { rig in
            let reply = try await rig.send("plan", to: "/v1/files?name=secret&person=dave")
            #expect(reply.status == 201)
            let begin = BeginUpload(for: .person(PeerReference("dave")))
            #expect(await rig.node.requests.first == AnyHashable(begin))
            let file = try reply.object()
            #expect(file["private"] as? Bool == true && file["room"] == nil)
            #expect((file["with"] as? [String: Any])?["name"] as? String == "dave")
            _ = try await rig.own("GET", "/v1/files?person=dave")
            #expect(await rig.node.requests.last == AnyHashable(ListFiles(for: .person(PeerReference("dave")))))
        }
    }

    @Test func aFileThatEndsEarlyIsNotKept() async throws {
        try await HTTPRig.serving { rig in
            let socket = try rig.socket()
            socket.send(
                "POST /v1/files?name=a&room=lobby HTTP/1.1\r\nHost: 127.0.0.1:\(rig.port)\r\n"
                    + "Authorization: Bearer \(Sample.token.text)\r\nContent-Length: 10\r\n\r\nhalf")
            socket.endInput()
            await until { await rig.node.requests.last == AnyHashable(CancelUpload(Sample.upload)) }
        }
    }
}

extension HTTPRig {
    /// Sends a file with the token.
    fileprivate func send(_ file: String, to target: String, isChunked: Bool = false) async throws -> HTTPAnswer {
        var (framing, body) = ("Content-Length: \(file.utf8.count)", file)
        if isChunked {
            framing = "Transfer-Encoding: chunked"
            let middle = file.index(file.startIndex, offsetBy: file.count / 2)
            let parts = [file[..<middle], file[middle...]]
            body = parts.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
        }
        let socket = try socket()
        socket.send(
            "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(Sample.token.text)\r\n"
                + "\(framing)\r\n\r\n\(body)")
        return try await socket.answer(hasBody: true)
    }
}
