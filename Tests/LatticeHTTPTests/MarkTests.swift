import Foundation
import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeHTTP

/// What people think of others, and which rooms they mute: each caller's own.
@Suite(.timeLimit(.minutes(5))) struct MarkTests {
    private static let bob = Sample.peer(2)

    /// What a request of the API asks of the node.
    private static var changes: [(method: String, path: String, asks: AnyHashable)] {
        [
            ("PUT", "/v1/people/\(bob.hex)/verify", AnyHashable(VerifyPerson(PeerReference(bob), true))),
            ("DELETE", "/v1/people/\(bob.hex)/verify", AnyHashable(VerifyPerson(PeerReference(bob), false))),
            ("PUT", "/v1/people/\(bob.hex)/ignore", AnyHashable(IgnorePerson(PeerReference(bob), true))),
            ("DELETE", "/v1/people/\(bob.hex)/ignore", AnyHashable(IgnorePerson(PeerReference(bob), false))),
            ("PUT", "/v1/people/\(bob.hex)/block", AnyHashable(BlockPerson(PeerReference(bob), true))),
            ("DELETE", "/v1/people/\(bob.hex)/block", AnyHashable(BlockPerson(PeerReference(bob), false))),
            ("PUT", "/v1/rooms/park/mute", AnyHashable(MuteRoom(Sample.room("#park"), true))),
            ("DELETE", "/v1/rooms/park/mute", AnyHashable(MuteRoom(Sample.room("#park"), false))),
        ]
    }

    private func serving(_ body: @escaping @Sendable (HTTPRig, FakeHost, [String: String]) async throws -> Void)
        async throws
    {
        let host = FakeHost()
        try await HTTPRig.serving { settings in
            settings.visitors = VisitorSettings(host: host, date: { WallTime(milliseconds: 1_800_000_000_000) })
        } body: { rig in
            let arrival = try await rig.ask("POST", "/v1/visit", body: #"{"name":"Jonna"}"#)
            let cookie = try #require(arrival.headers["set-cookie"]).prefix { $0 != ";" }
            try await body(rig, host, ["Cookie": String(cookie)])
        }
    }

    @Test func theOwnerAndVisitorsMarkForThemselves() async throws {
        try await serving { rig, host, cookie in
            let jonna = try #require(host.visitor("Jonna"))
            for (method, path, asks) in Self.changes {
                #expect(try await rig.ask(method, path, headers: cookie).status == 200, "\(method) \(path)")
                #expect(await jonna.node.requests.last == asks)
                #expect(await !rig.node.requests.contains(asks))
            }
            for (method, path, asks) in Self.changes {
                #expect(try await rig.own(method, path).status == 200, "\(method) \(path)")
                #expect(await rig.node.requests.last == asks)
            }
        }
    }

    @Test func whoIsNobodyMarksAndReadsNothing() async throws {
        try await serving { rig, _, _ in
            let reads = [("GET", "/v1/marks"), ("GET", "/v1/people/\(Self.bob.hex)/number")]
            for (method, path) in Self.changes.map({ ($0.method, $0.path) }) + reads {
                let answer = try await rig.ask(method, path)
                #expect(answer.status == 401, "\(method) \(path)")
                #expect(try answer.object()["code"] as? String == "nameNeeded")
            }
        }
    }

    @Test func marksAreListed() async throws {
        try await serving { rig, _, cookie in
            let marks = try await rig.ask("GET", "/v1/marks", headers: cookie).object()
            #expect(marks["verified"] as? [String] == [Self.bob.hex] && marks["ignored"] as? [String] == [Self.bob.hex])
            #expect(marks["blocked"] as? [String] == [Sample.peer(3).hex] && marks["muted"] as? [String] == ["#park"])
            let number = try await rig.ask("GET", "/v1/people/\(Self.bob.hex)/number", headers: cookie).object()
            #expect((number["groups"] as? [String])?.joined() == Sample.safetyNumber.groups.joined())
            #expect(number["words"] as? [String] == Sample.safetyNumber.words && number["verified"] as? Bool == true)
        }
    }

    @Test func theStreamTellsOnlyThePersonOfTheirMarks() async throws {
        try await serving { rig, host, cookie in
            let jonna = try #require(host.visitor("Jonna"))
            let own = try rig.socket()
            own.send("GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie["Cookie"] ?? "")\r\n\r\n")
            _ = try await own.hears("retry: 2000\n\n")
            let everybodys = try await rig.stream()
            await jonna.node.tell(.contactMarks(ContactMarks(ignored: [Self.bob], muted: [Sample.room("#park")])))
            let heard = try await own.hears("\"muted\":[\"#park\"]")
            #expect(heard.contains("event: marks") && heard.contains("\"ignored\":[\"\(Self.bob.hex)\"]"))
            await rig.node.tell(.contactMarks(ContactMarks(ignored: [Self.bob])))
            await rig.node.tell(.message(Sample.message(7, "after it")))
            #expect(try await !everybodys.hears("after it").contains("marks"))
        }
    }
}
