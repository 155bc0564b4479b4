import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Posts that are kept on one machine until their author publishes them.
    @Suite(.timeLimit(.minutes(10))) struct DraftTests {
        private func texts(_ objects: [[String: Any]]) -> [String] {
            objects.compactMap { $0["text"] as? String }
        }

        private func drafts(of person: PersonShell) async throws -> [String] {
            texts(try await person.all("drafts"))
        }

        @Test func nobodyGetsADraftBeforeItIsPublished() async throws {
            try await onStage { stage in
                let (alice, bob) = (PersonShell(stage, "alice"), PersonShell(stage, "bob"))
                // Alone, before anybody runs.
                let draft = try await alice.one("post", "Bridge", "out", "--at", park, "--draft")
                #expect(draft["event"] as? String == "draft" && draft["number"] as? Int == 1)
                let written = try #require(draft["written_at"] as? String)
                let first = try stage.start("alice", ["--discovery", "off"], home: alice.home)
                let second = try stage.start(
                    "bob", ["--discovery", "off", "--peer", try await first.address()], home: bob.home)
                try await second.connected(to: first)
                // By the running chat, and what is posted after it arrives alone.
                first.say("/post Second --draft --at \(park)")
                _ = try await first.event("the draft") { $0.event == "draft" }
                let later = try await alice.one("post", "Soup", "--at", park)
                let id = try #require(later["id"] as? String)
                try await eventually("bob has the post") {
                    try await bob.one("show", id, "--from", park, exitCode: nil)["text"] as? String == "Soup"
                }
                #expect(texts(try await bob.all("near", park)) == ["Soup"])
                #expect(try await drafts(of: alice) == ["Bridge out", "Second"])
                #expect(try await bob.one("drafts")["event"] as? String == "none")
                let published = try await alice.all("drafts", "publish")
                #expect(texts(published) == ["Bridge out", "Second"])
                let bridge = try #require(published.first?["id"] as? String)
                try await eventually("bob has what was a draft") {
                    try await bob.one("show", bridge, "--from", park, exitCode: nil)["text"] as? String == "Bridge out"
                }
                #expect(try await bob.one("show", bridge, "--from", park)["written_at"] as? String == written)
                #expect(try await alice.one("drafts")["event"] as? String == "none")
            }
        }

        /// A draft is there, or its post is: not neither, not both.
        @Test func aKillLosesNothingAndPublishesNothingTwice() async throws {
            try await onStage { stage in
                let alice = PersonShell(stage, "alice")
                let writing = try stage.start("alice", ["--discovery", "off"], home: alice.home)
                try await writing.ready()
                writing.say((0..<60).map { "/post number \($0) --draft --at \(park)" })
                var kept: [String] = []
                try await eventually("some drafts are kept") {
                    kept = try writing.events().filter { $0.event == "draft" }.compactMap(\.text)
                    return kept.count >= 40
                }
                writing.child.send(SIGKILL)
                _ = try await writing.exitCode()
                let before = try await drafts(of: alice)
                #expect(Set(before).isSuperset(of: kept) && Set(before).count == before.count)
                let publishing = try stage.start("alice", ["--discovery", "off"], home: alice.home)
                try await publishing.ready()
                publishing.say(before.indices.map { "/drafts publish \($0 + 1)" })
                try await eventually("some are published") {
                    try publishing.events().count { $0.event == "item" } >= 10
                }
                publishing.child.send(SIGKILL)
                _ = try await publishing.exitCode()
                let left = try await drafts(of: alice)
                let posts = try await alice.all("near", park, "--limit", "100").filter {
                    $0["event"] as? String == "item"
                }
                #expect(posts.count >= 10 && (left + texts(posts)).sorted() == before.sorted())
                #expect(try await alice.one("store", "check")["faults"] as? [String] == [])
                // The rest follows in its order.
                if !left.isEmpty {
                    #expect(texts(try await alice.all("drafts", "publish", "--wait", "0")) == left)
                }
                #expect(try await alice.one("drafts")["event"] as? String == "none")
            }
        }

        @Test(arguments: ["--gpx", "--geojson"]) func whatIsExportedCanBeImportedAsDrafts(format: String) async throws {
            try await onStage { stage in
                let (alice, bob) = (PersonShell(stage, "alice"), PersonShell(stage, "bob"))
                let words = ["Water & <bread>", String(repeating: "long ", count: 20) + "end", "\"two\""]
                for text in words {
                    _ = try await alice.one(
                        "post", text, "--at", park, "--name-place", "the gate", "--wait", "0")
                }
                let file = "\(stage.folder)/around"
                _ = try await alice.one("export", format, "--near", park, "-o", file)
                let imported = try await bob.one("drafts", "import", file)
                #expect((imported["numbers"] as? [Int])?.count == 3 && imported["others"] as? Int == 0)
                let posts = try await alice.all("near", park).sorted { "\($0["at"] ?? "")" < "\($1["at"] ?? "")" }
                let drafts = try await bob.all("drafts")
                #expect(texts(drafts) == words)
                for (post, draft) in zip(posts, drafts) {
                    #expect(draft["written_at"] as? String == post["at"] as? String)
                    #expect(draft["lat"] as? Double == post["lat"] as? Double)
                    #expect(draft["lon"] as? Double == post["lon"] as? Double)
                    #expect(draft["place_name"] as? String == "the gate")
                }
                let half = Data(try Data(contentsOf: URL(filePath: file)).dropLast(9))
                try half.write(to: URL(filePath: file))
                let refused = try await bob.one("drafts", "import", file, exitCode: 1)
                #expect((refused["message"] as? String)?.contains("ends in the middle") == true)
                #expect(try await bob.all("drafts").count == 3)
            }
        }
    }
}
