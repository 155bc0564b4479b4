import Foundation
import TestPictures
import Testing

extension EndToEnd {
    /// Photos of posts and profiles, from a file or a browser to another host.
    @Suite(.timeLimit(.minutes(10))) struct PhotoTests {
        private func hasMark(_ text: String) -> Bool { text.contains(/\[photo 560×420, ([0-9]+) kB\]/) }

        private func picture(_ number: UInt8, on stage: Stage) throws -> String {
            let path = "\(stage.folder)/picture-\(number).png"
            try Data(PictureFile.png(number)).write(to: URL(filePath: path))
            return path
        }

        private func ask(_ name: String, on stage: Stage, _ arguments: String..., code: Int32 = 0) async throws -> Peer
        {
            let asked = try stage.run(arguments + ["--name", name], as: name, home: "\(stage.folder)/\(name)")
            let ended = try await asked.exitCode()
            #expect(ended == code, "\(arguments): \(asked.error.text)")
            return asked
        }

        /// Both with a page, linked.
        private func two(on stage: Stage) async throws -> (alice: Page, bob: Page) {
            let alice = try await Page("alice", on: stage, home: "\(stage.folder)/alice")
            let bob = try await Page("bob", on: stage, linked: alice, home: "\(stage.folder)/bob")
            return (alice, bob)
        }

        private func photo(_ id: String, of page: Page, _ which: String = "photo") async throws -> Data? {
            let answer = try await page.ask("GET", "/v1/items/\(id)/\(which)")
            return answer.status == 200 ? answer.body : nil
        }

        @Test func aPhotoOfACommandIsSeenOnAnotherHost() async throws {
            try await onStage { stage in
                let (alice, bob) = try await two(on: stage)
                let posted = try await ask(
                    "alice", on: stage, "post", "Bridge out", "--at", "40.7128,-74.0060", "--photo",
                    try picture(1, on: stage), "--alt", "A broken bridge")
                let short = try #require(posted.output.text.firstMatch(of: /posted ([0-9a-f]{6})/)).1
                try await eventually("bob sees the photo's size in the list") {
                    let near = try await ask("bob", on: stage, "near", "40.7128,-74.0060")
                    return hasMark(near.output.text)
                }
                let shown = try await ask("bob", on: stage, "show", String(short)).output.text
                #expect(shown.contains("Bridge out") && hasMark(shown))
                #expect(shown.contains("photo: A broken bridge"))
                let json = try await ask("bob", on: stage, "show", String(short), "--json").output.text
                #expect(json.contains(#""photo":{"width":560,"height":420,"size":"#))
                let item = try #require(
                    try await bob.object("GET", "/v1/items/\(short)")["item"] as? [String: Any])
                let id = try #require(item["id"] as? String)
                #expect((item["photo"] as? [String: Any])?["alt"] as? String == "A broken bridge")
                let there = try #require(try await photo(id, of: alice))
                let here = try #require(try await photo(id, of: bob))
                #expect(here == there && here.starts(with: [0xFF, 0xD8]))
                #expect(here.range(of: Data("Exif".utf8)) == nil && here.range(of: Data("GPS".utf8)) == nil)
                let small = try #require(try await photo(id, of: bob, "thumbnail"))
                #expect(small.count <= 8_192 && small.starts(with: [0xFF, 0xD8]))
                #expect(try await photo(id, of: alice, "thumbnail") == small)
                let text = "\(stage.folder)/notes.txt"
                try Data("no picture".utf8).write(to: URL(filePath: text))
                let refused = try await ask(
                    "alice", on: stage, "post", "x", "--at", "1,1", "--photo", text, code: 1)
                #expect(refused.error.text.contains("this is not a picture that can be shown"))
            }
        }

        @Test func theOriginalOfAPhotoIsFetchedAsAFile() async throws {
            try await onStage { stage in
                _ = try await two(on: stage)
                let picture = try picture(1, on: stage)
                let lone = try await ask("alice", on: stage, "post", "x", "--at", "1,1", "--original", code: 2)
                #expect(lone.error.text.contains("add --photo FILE"))
                let posted = try await ask(
                    "alice", on: stage, "post", "Bridge out", "--at", "40.7128,-74.0060", "--photo", picture,
                    "--original")
                let short = String(try #require(posted.output.text.firstMatch(of: /posted ([0-9a-f]{6})/)).1)
                let way = /original \S+ \(\d+ kB\): lattice file get ([0-9a-f]{8})/
                try await eventually("bob hears of the original") {
                    try await ask("bob", on: stage, "show", short).output.text.contains(way)
                }
                let shown = try await ask("bob", on: stage, "show", short).output.text
                let id = String(try #require(shown.firstMatch(of: way)).1)
                _ = try await ask("bob", on: stage, "file", "get", id, "--output", "\(stage.folder)/got")
                let names = try FileManager.default.contentsOfDirectory(atPath: "\(stage.folder)/got")
                #expect(names == ["photo.png"])
                let got = try Data(contentsOf: URL(filePath: "\(stage.folder)/got/\(names[0])"))
                let sent = try Data(contentsOf: URL(filePath: picture))
                #expect(got.starts(with: sent.prefix(8)) && got.suffix(12) == sent.suffix(12))
                #expect(got.range(of: Data("GPS".utf8)) == nil && sent.range(of: Data("GPS".utf8)) != nil)
            }
        }

        @Test func aPhotoOfABrowserIsSeenOnAnotherHost() async throws {
            try await onStage { stage in
                let (alice, bob) = try await two(on: stage)
                let made = try await alice.ask(
                    "POST", "/v1/uploads", headers: ["Content-Type": "image/png"], file: Data(PictureFile.png(2)))
                #expect(made.status == 201)
                let upload =
                    try #require(
                        try JSONSerialization.jsonObject(with: made.body) as? [String: Any])["upload"] as? String
                let photo: [String: Any] = ["upload": try #require(upload), "alt": "a gate"]
                let posted = try await alice.object(
                    "POST", "/v1/posts", ["text": "gate open", "lat": 40.7, "lon": -74, "photo": photo])
                let id = try #require(posted["id"] as? String)
                try await eventually("bob gets the photo") { try await self.photo(id, of: bob) != nil }
                #expect(try await self.photo(id, of: bob) == (try await self.photo(id, of: alice)))
                let wrong = try await alice.ask("POST", "/v1/uploads", file: Data("hello".utf8))
                #expect(wrong.status == 422)
            }
        }

        @Test func aProfileHasAPhotoUntilItIsRemoved() async throws {
            try await onStage { stage in
                let (_, bob) = try await two(on: stage)
                let set = try await ask(
                    "alice", on: stage, "profile", "set", "--photo", try picture(3, on: stage), "--alt", "me")
                #expect(hasMark(set.output.text) && set.output.text.contains("photo: me"))
                func person() async throws -> [String: Any]? {
                    try await bob.items("/v1/people").first { $0["name"] as? String == "alice" }
                }
                try await eventually("bob sees it") { try await person()?["photo"] != nil }
                let id = try #require(try await person()?["id"] as? String)
                try await eventually("it comes") { try await bob.ask("GET", "/v1/people/\(id)/photo").status == 200 }
                _ = try await ask("alice", on: stage, "profile", "set", "--no-photo")
                try await eventually("it is gone") { try await person()?["photo"] == nil }
                #expect(try await bob.ask("GET", "/v1/people/\(id)/photo").status == 404)
            }
        }
    }
}
