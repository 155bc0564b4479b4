import Foundation
import FoundationNetworking
import Glibc
import TestPictures
import Testing

extension EndToEnd {
    /// People who come to a node with a browser, and talk with those of another one.
    @Suite(.timeLimit(.minutes(10))) struct VisitorTests {
        private func camp(_ stage: Stage, linked other: Page? = nil) async throws -> Page {
            try await Page("alice", on: stage, linked: other, home: "\(stage.folder)/alice", ["--visitors"])
        }

        @Test func visitorsTalkInRoomsAndPrivatelyAlsoAfterARestart() async throws {
            try await onStage { stage in
                let bob = try await Page("bob", on: stage, home: "\(stage.folder)/bob")
                var alice = try await camp(stage, linked: bob)
                let jonna = try await Visit("Jonna", at: alice)
                let tomasz = try await Visit("Tomasz", at: alice)
                _ = try await jonna.made("/v1/rooms/lobby/messages", ["text": "who has the ladder?"])
                try await eventually("bob hears Jonna") {
                    try await bob.items("/v1/rooms/lobby/messages").contains {
                        ($0["from"] as? [String: Any])?["name"] as? String == "Jonna"
                            && $0["text"] as? String == "who has the ladder?"
                    }
                }
                // Where the owner is, visitors do not learn.
                _ = try await alice.ask("PUT", "/v1/here", ["lat": 52.52, "lon": 13.4])
                #expect(try await jonna.object("GET", "/v1/here").isEmpty)
                #expect(try await jonna.ask("POST", "/v1/posts", ["text": "here"]).status == 422)
                _ = try await tomasz.made("/v1/people/\(jonna.id)/messages", ["text": "I do"])
                try await eventually("Jonna reads it, and nobody else") {
                    try await jonna.items("/v1/conversations").map { $0["text"] as? String } == ["I do"]
                }
                #expect(try await alice.items("/v1/conversations").isEmpty)

                alice.peer.child.send(SIGTERM)
                _ = try await alice.peer.exitCode()
                alice = try await camp(stage, linked: bob)
                let again = Visit(jonna, at: alice)
                let visit = try await again.object("GET", "/v1/visit")
                #expect((visit["you"] as? [String: Any])?["id"] as? String == jonna.id)
                #expect(try await again.items("/v1/conversations").map { $0["text"] as? String } == ["I do"])
                _ = try await again.made("/v1/rooms/lobby/messages", ["text": "thanks"])
                try await eventually("bob hears her again") {
                    try await bob.items("/v1/rooms/lobby/messages").contains {
                        ($0["from"] as? [String: Any])?["id"] as? String == jonna.id
                            && $0["text"] as? String == "thanks"
                    }
                }
            }
        }

        /// A key that is used in two places would be one person in two.
        @Test func aVisitorTakesTheKeyToALaptopAndIsTheSamePersonThere() async throws {
            try await onStage { stage in
                let alice = try await camp(stage)
                let jonna = try await Visit("Jonna", at: alice)
                let taken = try await jonna.object("POST", "/v1/visit/key", ["passphrase": "take me along"])
                let (file, secret) = ("\(stage.folder)/jonna.key", "\(stage.folder)/secret")
                try #require(taken["key"] as? String).write(toFile: file, atomically: false, encoding: .utf8)
                try "take me along\n".write(toFile: secret, atomically: false, encoding: .utf8)
                chmod(secret, 0o600)
                let home = "\(stage.folder)/laptop"
                let brought = try stage.run(["id", "import", file, "--name", "Jonna"], as: "import", home: home)
                #expect(try await brought.exitCode() == 0, "\(brought.transcript)")
                let again = try stage.run(["id", "import", file, "--name", "Jonna"], as: "again", home: home)
                #expect(try await again.exitCode() == 1)
                let laptop = try await Page(
                    "Jonna", on: stage, linked: alice, home: home, ["--identity-passphrase-file", secret])
                #expect(try await laptop.object("GET", "/v1/me")["id"] as? String == jonna.id)
                try await eventually("the visit is over") {
                    try await jonna.ask("POST", "/v1/rooms/lobby/messages", ["text": "phone"]).status == 503
                }
                _ = try await laptop.ask("POST", "/v1/rooms/lobby/messages", ["text": "from the laptop"])
                try await eventually("alice hears it at once") {
                    try await alice.items("/v1/rooms/lobby/messages").contains {
                        ($0["from"] as? [String: Any])?["id"] as? String == jonna.id
                            && $0["text"] as? String == "from the laptop"
                    }
                }
                // And back: to the page of another camp.
                let exported = "\(stage.folder)/again.key"
                let export = try stage.run(["id", "export", exported, "--name", "Jonna"], as: "export", home: home)
                #expect(try await export.exitCode() == 0, "\(export.transcript)")
                let other = try await Page("carol", on: stage, home: "\(stage.folder)/carol", ["--visitors"])
                let key = try String(contentsOfFile: exported, encoding: .utf8)
                let come = try await other.ask(
                    "POST", "/v1/visit/import", ["name": "Jonna", "key": key, "passphrase": "take me along"],
                    isOwner: false)
                #expect(come.status == 201)
                let welcome = try JSONSerialization.jsonObject(with: come.body) as? [String: Any]
                #expect((welcome?["you"] as? [String: Any])?["id"] as? String == jonna.id)
            }
        }

        @Test func visitorsNeedAPage() async throws {
            try await onStage { stage in
                let refused = try stage.run(["run", "--name", "alice", "--visitors"], as: "alice")
                #expect(try await refused.exitCode() == 2)
                #expect(refused.error.text.contains("--visitors needs a page; add --http"))
            }
        }

        @Test func aVisitorPostsAPhotoAndNobodyElseNamesIt() async throws {
            try await onStage { stage in
                let bob = try await Page("bob", on: stage, home: "\(stage.folder)/bob")
                let alice = try await camp(stage, linked: bob)
                let (jonna, tomasz) = (try await Visit("Jonna", at: alice), try await Visit("Tomasz", at: alice))
                let (status, body) = try await jonna.ask("POST", "/v1/uploads", file: Data(PictureFile.png(1)))
                #expect(status == 201)
                let made = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
                let upload = try #require(made["upload"] as? String)
                let post: [String: Any] = ["text": "Bridge out", "lat": 40.7, "lon": -74, "photo": ["upload": upload]]
                #expect(try await tomasz.ask("POST", "/v1/posts", post).status == 404)
                #expect(try await tomasz.ask("DELETE", "/v1/uploads/\(upload)").status == 404)
                let posted = try await jonna.made("/v1/posts", post)
                let id = try #require(posted["id"] as? String)
                #expect((posted["author"] as? [String: Any])?["id"] as? String == jonna.id)
                try await eventually("bob sees the photo") {
                    try await bob.ask("GET", "/v1/items/\(id)/photo").status == 200
                }
            }
        }

        @Test func aVisitorSharesAFileAndReachesNoPathOfTheMachine() async throws {
            try await onStage { stage in
                let bob = try await Page("bob", on: stage, home: "\(stage.folder)/bob")
                let alice = try await camp(stage, linked: bob)
                let jonna = try await Visit("Jonna", at: alice)
                let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                let (status, _) = try await jonna.ask("POST", "/v1/files?name=map.pdf&room=lobby", file: bytes)
                #expect(status == 201)
                var file = ""
                try await eventually("bob hears of the file") {
                    file = try await bob.items("/v1/files").first?["id"] as? String ?? ""
                    return !file.isEmpty
                }
                _ = try await bob.ask("POST", "/v1/files/\(file)/fetch")
                try await eventually("bob has it") {
                    try await bob.ask("GET", "/v1/files/\(file)/content").body == bytes
                }
                #expect(try await jonna.ask("GET", "/v1/files/\(file)/content").body == bytes)
                let large = Data(count: (64 << 20) + 1)
                #expect(try await jonna.ask("POST", "/v1/files?name=large&room=lobby", file: large).status >= 400)
                let path: [String: Any] = ["text": "x", "lat": 1, "lon": 1, "photo": ["path": "/etc/passwd"]]
                #expect(try await jonna.ask("POST", "/v1/posts", path).status == 422)
            }
        }
    }
}

/// A browser at a node, signed in by its cookie.
private struct Visit {
    let id: String
    private let page: Page
    private let cookie: String

    init(_ name: String, at page: Page) async throws {
        self.page = page
        let (data, response) = try await Self.request(
            page, "POST", "/v1/visit", cookie: nil, try JSONSerialization.data(withJSONObject: ["name": name]),
            type: "application/json")
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.statusCode == 201)
        cookie = String(try #require(http.value(forHTTPHeaderField: "Set-Cookie")).prefix { $0 != ";" })
        let welcome = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        id = try #require((welcome["you"] as? [String: Any])?["id"] as? String)
    }

    /// The same browser, at the same node after another start.
    init(_ other: Visit, at page: Page) { (id, cookie, self.page) = (other.id, other.cookie, page) }

    private static func request(
        _ page: Page, _ method: String, _ path: String, cookie: String?, _ body: Data?, type: String
    ) async throws -> (Data, URLResponse) {
        var request = URLRequest(url: try #require(URL(string: page.base + path)))
        request.httpMethod = method
        request.httpShouldHandleCookies = false
        request.httpBody = body
        if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
        if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
        return try await URLSession.shared.data(for: request)
    }

    func ask(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, file: Data? = nil
    ) async throws -> (status: Int, body: Data) {
        let sent = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? file
        let type = body == nil ? "application/octet-stream" : "application/json"
        let (data, response) = try await Self.request(page, method, path, cookie: cookie, sent, type: type)
        return (try #require(response as? HTTPURLResponse).statusCode, data)
    }

    func object(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: try await ask(method, path, body).body) as? [String: Any])
    }

    func made(_ path: String, _ body: [String: Any]) async throws -> [String: Any] {
        let answer = try await ask("POST", path, body)
        #expect(answer.status == 201, "\(path): \(String(decoding: answer.body, as: UTF8.self))")
        return try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    }

    func items(_ path: String) async throws -> [[String: Any]] {
        try #require(try await object("GET", path)["items"] as? [[String: Any]])
    }
}
