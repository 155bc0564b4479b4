import Foundation
import LatticeAPI
import LatticeCore
import Synchronization
import Testing

@testable import LatticeHTTP

/// People who take their key along, and come with one.
final class VisitorKeyTests: Sendable {
    private let kept = Mutex("")

    /// - Parameter book: of an earlier start.
    private func serving(
        _ book: String = "", body: @escaping @Sendable (HTTPRig, FakeHost) async throws -> Void
    ) async throws {
        let host = FakeHost()
        try await HTTPRig.serving { settings in
            var visitors = VisitorSettings(
                host: host,
                keep: { book in
                    self.kept.withLock { $0 = book.text }
                    return .success(())
                }, date: { WallTime(milliseconds: 1_800_000_000_000) })
            visitors.book = VisitorBook(book)
            settings.visitors = visitors
            settings.digest = { "digest of \($0)" }
        } body: { rig in
            try await body(rig, host)
        }
    }

    private func come(_ rig: HTTPRig, _ key: String, as name: String?, _ passphrase: String = "open sesame")
        async throws
        -> HTTPAnswer
    {
        let named = name.map { #""name":"\#($0)","# } ?? ""
        return try await rig.ask(
            "POST", "/v1/visit/import", body: #"{\#(named)"key":"\#(key)","passphrase":"\#(passphrase)"}"#)
    }

    private func cookie(_ answer: HTTPAnswer) throws -> [String: String] {
        ["Cookie": String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })]
    }

    private func id(_ answer: HTTPAnswer) throws -> String? {
        (try answer.object()["you"] as? [String: Any])?["id"] as? String
    }

    @Test func whoComesWithAKeyIsThatPersonAndComesBackWithIt() async throws {
        try await serving { (rig, host) async throws in
            let first = try await self.come(rig, "key 7", as: "Jonna")
            #expect(first.status == 201)
            #expect(try self.id(first) == Sample.peer(7).hex)
            #expect(try first.object()["code"] != nil)
            // With the same key, under whatever name: the same person, who has a code already.
            let again = try await self.come(rig, "key 7", as: nil)
            #expect(again.status == 201)
            #expect(try self.id(again) == Sample.peer(7).hex)
            #expect(try again.object()["code"] == nil)
            #expect(host.keysCount == 1 && host.visitors.count == 1)
            let seen = try await rig.ask("GET", "/v1/visit", headers: try self.cookie(again)).object()
            #expect((seen["you"] as? [String: Any])?["name"] as? String == "Jonna")
        }
    }

    @Test func aKeyThatCannotBeUsedIsRefusedAndNothingStays() async throws {
        try await serving { (rig, host) async throws in
            let wrong = try await self.come(rig, "key 7", as: "Jonna", "open barley")
            #expect(wrong.status == 422)
            #expect(try wrong.object()["detail"] as? String == "The passphrase is not the one of this key file.")
            #expect(try await self.come(rig, "rubbish", as: "Jonna").status == 422)
            let nameless = try await self.come(rig, "key 7", as: nil)
            #expect(nameless.status == 422)
            #expect(try await rig.ask("POST", "/v1/visit", body: #"{"name":"Jonna"}"#).status == 201)
            #expect(try await self.come(rig, "key 7", as: "jonna").status == 409)
            #expect(host.keysCount == 0)
        }
    }

    /// Each try takes as much memory and time as a password, also one that opens.
    @Test(arguments: ["wrong one", "open sesame"]) func afterFiveTriesThereIsAPause(passphrase: String) async throws {
        try await serving { (rig, _) async throws in
            for _ in 1...5 { #expect(try await self.come(rig, "key 7", as: nil, passphrase).status == 422) }
            #expect(try await self.come(rig, "key 7", as: "a").status == 429)
        }
    }

    @Test func afterFiveKeyFilesThereIsAPause() async throws {
        try await serving { (rig, _) async throws in
            let headers = try self.cookie(try await self.come(rig, "key 7", as: "Jonna"))
            let body = #"{"passphrase":"take me along"}"#
            for _ in 1...5 {
                #expect(try await rig.ask("POST", "/v1/visit/key", headers: headers, body: body).status == 200)
            }
            #expect(try await rig.ask("POST", "/v1/visit/key", headers: headers, body: body).status == 429)
        }
    }

    /// Otherwise they would be somebody else under the same name.
    @Test func whoseKeyIsLostIsTold() async throws {
        let cookie = Mutex([String: String]())
        try await serving { (rig, _) async throws in
            let jonna = try self.cookie(try await self.come(rig, "key 7", as: "Jonna"))
            cookie.withLock { $0 = jonna }
        }
        // Another start, without the key.
        let book = kept.withLock { $0 }
        try await serving(book) { (rig, _) async throws in
            let headers = cookie.withLock { $0 }
            let answer = try await rig.ask("GET", "/v1/conversations", headers: headers)
            #expect(answer.status == 422)
            #expect(try (answer.object()["detail"] as? String)?.contains("is lost here") == true)
            #expect(try self.id(try await self.come(rig, "key 7", as: nil)) == Sample.peer(7).hex)
            #expect(try await rig.ask("GET", "/v1/conversations", headers: headers).status == 200)
        }
    }

    @Test func whoIsRemovedLeavesNoKeyHere() async throws {
        try await serving { (rig, host) async throws in
            _ = try await self.come(rig, "key 7", as: "Jonna")
            #expect(host.keysCount == 1)
            #expect(try await rig.own("DELETE", "/v1/visitors/\(Sample.peer(7).hex)").status == 204)
            #expect(host.keysCount == 0)
        }
    }

    @Test func aVisitorTakesTheKeyAlongAndNobodyElseDoes() async throws {
        try await serving { (rig, _) async throws in
            let jonna = try await self.come(rig, "key 7", as: "Jonna")
            let body = #"{"passphrase":"take me along"}"#
            let taken = try await rig.ask("POST", "/v1/visit/key", headers: try self.cookie(jonna), body: body)
            #expect(taken.status == 200)
            #expect(taken.headers["cache-control"] == "no-store")
            #expect(try taken.object()["key"] as? String == "key key 7")
            #expect(try (taken.object()["name"] as? String)?.hasSuffix(".key") == true)
            #expect(try await rig.ask("POST", "/v1/visit/key", body: body).status == 401)
            #expect(try await rig.own("POST", "/v1/visit/key", body: body).status == 403)
        }
    }
}
