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
}
