import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// The page's API of two nodes, as programs use it.
    @Suite(.timeLimit(.minutes(5))) struct HTTPTests {
        private static let here = "lat=40.7128&lon=-74.006"

        @Test func aPostMadeAtOneNodeIsFoundAtTheOther() async throws {
            try await onStage { stage in
                let first = try await Page("first", on: stage)
                let second = try await Page("second", on: stage, linked: first)
                let made = try await first.object(
                    "POST", "/v1/posts", ["text": "grüße <b>vom</b> Platz", "lat": 40.7128, "lon": -74.006])
                let id = try #require(made["id"] as? String)
                let found = try await eventually("the other has it") {
                    try await second.items("/v1/posts/near?\(Self.here)").first { $0["id"] as? String == id }
                }
                #expect(found["text"] as? String == "grüße <b>vom</b> Platz")
                // Further away than the radius it is there, and cannot be read.
                let far = try await second.items("/v1/posts/near?lat=40.72&lon=-74.006&radius=250")
                #expect(far.first?["state"] as? String == "too_far" && far.first?["text"] == nil)
                #expect(try await second.ask("POST", "/v1/items/\(id)/comments", ["text": "gelesen"]).status == 201)
                #expect(try await second.ask("PUT", "/v1/items/\(id)/like").status == 200)
                try await eventually("its author sees what was done to it") {
                    try await first.items("/v1/notifications").count == 2
                }
                let detail = try await first.object("GET", "/v1/items/\(id)")
                #expect((detail["comments"] as? [[String: Any]])?.first?["text"] as? String == "gelesen")
                // Only who wrote it changes it.
                #expect(try await second.ask("PATCH", "/v1/items/\(id)", ["text": "x"]).status == 403)
                #expect(try await second.ask("DELETE", "/v1/items/\(id)", isOwner: false).status == 401)
            }
        }

        @Test func whatIsSaidInARoomIsToldToAStream() async throws {
            try await onStage { stage in
                let first = try await Page("first", on: stage)
                let second = try await Page("second", on: stage, linked: first)
                let port = try #require(URL(string: second.base)?.port)
                let stream = try RawSocket(port: port, from: "127.0.0.1")
                stream.send(Array("GET /v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                try await eventually("the stream is open") {
                    String(decoding: stream.received(), as: UTF8.self).contains("retry:")
                }
                try await eventually("they see each other") {
                    try await first.items("/v1/peers").contains { $0["state"] as? String == "connected" }
                }
                #expect(
                    try await first.ask("POST", "/v1/rooms/lobby/messages", ["text": "hört ihr mich?"]).status == 201)
                try await eventually("it is reported") {
                    String(decoding: stream.received(), as: UTF8.self).contains("hört ihr mich?")
                }
                try await eventually("it is history") {
                    try await second.items("/v1/rooms/lobby/messages").contains {
                        $0["text"] as? String == "hört ihr mich?"
                    }
                }
                let graph = try await second.object("GET", "/v1/graph", isOwner: false)
                #expect((graph["nodes"] as? [Any])?.count == 2 && (graph["links"] as? [Any])?.count == 1)
                // An open stream does not hold up the end.
                second.peer.child.send(SIGTERM)
                #expect(try await second.peer.exitCode() == 0)
                try await eventually("the stream has ended") { stream.isClosed() }
            }
        }

        @Test func anAppsEventsStayItsOwnAcrossARestart() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/host"
                let first = try await Page("host", on: stage, home: home)
                let user = try await first.object(
                    "POST", "/v1/users", headers: ["tb-app-secret": first.token], isOwner: false)
                let token = try #require(user["auth_token"] as? String)
                let start = Date(timeIntervalSinceNow: 86_400).ISO8601Format()
                let body: [String: Any] = [
                    "event": ["lat": 40.7, "lon": -74.0, "name": "Party", "started_at": start]
                ]
                let event = try await first.object(
                    "POST", "/v1/events", body, headers: ["tb-auth-token": token], isOwner: false)
                let id = try #require(event["id"] as? String, "\(event)")
                first.peer.child.send(SIGTERM)
                #expect(try await first.peer.exitCode() == 0)
                let again = try await Page("host", on: stage, home: home)
                #expect(again.token == first.token)
                let change = ["event": ["name": "Bigger party"]]
                let other = try await again.object(
                    "POST", "/v1/users", headers: ["tb-app-secret": first.token], isOwner: false)
                let stranger = try #require(other["auth_token"] as? String)
                for (token, status) in [(stranger, 404), (token, 200), ("nobody", 401)] {
                    let answer = try await again.ask(
                        "PATCH", "/v1/events/\(id)", change, headers: ["tb-device-token": token], isOwner: false)
                    #expect(answer.status == status)
                }
                let near = try await again.ask("GET", "/v1/events/nearests?lat=40.7&lon=-74&radius=1", isOwner: false)
                #expect(String(decoding: near.body, as: UTF8.self).contains("Bigger party"))
            }
        }

        /// The places and distances of the article from which Humon's clients come.
        @Test func aClientOfHumonFindsTheNearestEvents() async throws {
            try await onStage { stage in
                let host = try await Page("host", on: stage)
                let user = try await host.object(
                    "POST", "/v1/users", headers: ["tb-app-secret": host.token], isOwner: false)
                let device = try #require(user["device_token"] as? String)
                let id = try #require(user["id"] as? String)
                #expect(user["auth_token"] as? String == device)
                let wrong = try await host.ask("POST", "/v1/users", headers: ["tb-app-secret": "wrong"], isOwner: false)
                #expect(wrong.status == 404)
                let start = Date(timeIntervalSinceNow: 86_400).ISO8601Format()
                for (lat, lon) in [(37.760321, -122.429667), (37.760322, -122.429667), (37.687737, -122.470608)] {
                    let event = ["lat": lat, "lon": lon, "name": "at \(lat)", "started_at": start] as [String: Any]
                    let made = try await host.ask(
                        "POST", "/v1/events", ["event": event], headers: ["tb-device-token": device], isOwner: false)
                    #expect(made.status == 201)
                }
                let place = "/v1/events/nearests?lat=37.771098&lon=-122.430782"
                let near = try await host.ask("GET", "\(place)&radius=5", isOwner: false)
                let events = try #require(try JSONSerialization.jsonObject(with: near.body) as? [[String: Any]])
                #expect(events.map { $0["name"] as? String } == ["at 37.760322", "at 37.760321"])
                let owners = events.compactMap { ($0["owner"] as? [String: Any])?["id"] as? String }
                #expect(owners == [id, id])
                let none = try await host.ask("GET", "\(place)&radius=1", isOwner: false)
                #expect(none.status == 200)
                #expect(String(decoding: none.body, as: UTF8.self) == #"{"message":"No Events Found"}"#)
            }
        }

        /// The requests of the book, from a client that shares no code with the program.
        @Test(.enabled(if: Lab.has("python3"), "this needs python3"))
        func aClientOfHumonFindsItsContractKept() async throws {
            try await onStage { stage in
                let host = try await Page("host", on: stage)
                func client(_ secret: String, as name: String) async throws -> Peer {
                    let client = try stage.run(
                        [host.base, secret], as: name, under: ["python3", Program.root + "tools/humon-client"],
                        isProgram: false)
                    client.endInput()
                    try await client.exitCode()
                    return client
                }
                let kept = try await client(host.token, as: "client")
                #expect(kept.child.exitCode == 0, "\(kept.transcript)")
                #expect(kept.error.text.contains(/Ran 1[5-9] tests/))
                // It finds what is not as it should be.
                let broken = try await client("wrong", as: "stranger")
                #expect(broken.child.exitCode == 1 && broken.error.text.contains("FAILED"))
            }
        }

        @Test func theTokenIsForItsOwnerAlone() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/host"
                let page = try await Page("host", on: stage, home: home)
                let files = try #require(FileManager.default.enumerator(atPath: home)).compactMap { $0 as? String }
                let file = try #require(files.first { $0.hasSuffix("/http-token") })
                let facts = try FileManager.default.attributesOfItem(atPath: "\(home)/\(file)")
                #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
                #expect(try String(contentsOfFile: "\(home)/\(file)", encoding: .utf8) == "\(page.token)\n")
                #expect(!page.peer.error.text.contains(page.token) && !page.peer.output.text.contains(page.token))
            }
        }

        @Test func aTokenThatIsNoneOrThatOthersReadIsToldInASentence() async throws {
            try await onStage { stage in
                let folder = "\(stage.folder)/person"
                let file = "\(folder)/http-token"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let words = ["run", "--data-dir", folder, "--discovery", "off", "--http", "127.0.0.1:0"]
                for (text, mode, told) in [
                    ("short\n", 0o600, "\(file) holds no valid token"),
                    ("tokentokentokentokento\n", 0o644, "run: chmod 600 \(file), or delete it"),
                ] {
                    try Data(text.utf8).write(to: URL(filePath: file))
                    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
                    let run = try stage.run(words, as: "run")
                    #expect(try await run.exitCode() == 1)
                    #expect(run.error.text.contains(told))
                }
                try Data().write(to: URL(filePath: file))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                let page = try await Page("run", try stage.run(words, as: "run"))
                #expect(page.token.utf8.count == 22)
                #expect(page.peer.error.text.contains("\(file) was empty; a new token was made"))
            }
        }

        /// A folder has the file's path, so the file cannot be written.
        @Test func anAppGetsNoTokenThatIsNotKept() async throws {
            try await onStage { stage in
                let folder = "\(stage.folder)/person"
                let words = ["run", "--data-dir", folder, "--discovery", "off", "--http", "127.0.0.1:0"]
                let page = try await Page("run", try stage.run(words, as: "run"))
                let users = "\(folder)/http-users"
                try FileManager.default.createDirectory(atPath: "\(users)/x", withIntermediateDirectories: true)
                let headers = ["tb-app-secret": page.token]
                let refused = try await page.ask("POST", "/v1/users", headers: headers, isOwner: false)
                #expect(refused.status == 500)
                #expect(!String(decoding: refused.body, as: UTF8.self).contains("auth_token"))
                try FileManager.default.removeItem(atPath: users)
                #expect(try await page.ask("POST", "/v1/users", headers: headers, isOwner: false).status == 201)
            }
        }

        /// `lattice web` finds the page that runs, and serves one through what runs without.
        @Test func theWebCommandFindsWhatRuns() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/host"
                let page = try await Page("host", on: stage, home: home)
                let second = try stage.run(["web", "--name", "host", "--no-open"], as: "web", home: home)
                #expect(try await second.exitCode() == 0)
                #expect(second.error.text.contains("another lattice serves the page already"))
                #expect(second.output.text == "\(page.base)/#token=\(page.token)\n")
                page.peer.child.send(SIGTERM)
                #expect(try await page.peer.exitCode() == 0)

                let run = try stage.run(
                    ["run", "--name", "host", "--discovery", "off", "--log", "info"], as: "run", home: home)
                try await eventually("it runs") { run.error.text.contains("port=") }
                let web = try stage.run(
                    ["web", "--name", "host", "--listen", "127.0.0.1:0", "--no-open"], as: "web", home: home)
                let attached = try await Page("web", web)
                #expect(try await attached.object("GET", "/v1/me")["name"] as? String == "host")
                web.child.send(SIGTERM)
                #expect(try await web.exitCode() == 0)
                #expect(run.child.exitCode == nil)
            }
        }

        @Test func aTakenPortAndABrokenMapAreToldInASentence() async throws {
            try await onStage { stage in
                let page = try await Page("host", on: stage)
                let port = try #require(URL(string: page.base)?.port)
                let other = try stage.run(
                    ["run", "--name", "other", "--discovery", "off", "--http", "127.0.0.1:\(port)"], as: "other")
                // As of every address that is in use.
                #expect(try await other.exitCode() == 1)
                #expect(other.error.text.contains("cannot serve the page at 127.0.0.1:\(port)"))
                #expect(other.error.text.contains("is in use by another program; choose another port"))
                let third = try stage.run(
                    [
                        "run", "--name", "third", "--discovery", "off", "--http", "127.0.0.1:0", "--basemap",
                        "/etc/hostname",
                    ],
                    as: "third")
                #expect(try await third.exitCode() == 1)
                #expect(third.error.text.contains("/etc/hostname: it cannot be read as MBTiles"))
            }
        }
    }
}
