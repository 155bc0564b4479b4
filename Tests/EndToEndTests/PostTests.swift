import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Posts at places: commands of one person, and records that travel.
    @Suite(.timeLimit(.minutes(10))) struct PostTests {
        @Test func oneCommandPostsAndAnotherReads() async throws {
            try await onStage { stage in
                let alice = PersonShell(stage, "alice")
                let post = try await alice.one("post", "Water", "at", "the", "gate", "--at", park, "--wait", "0")
                #expect(post["text"] as? String == "Water at the gate")
                let id = try #require(post["id"] as? String)
                let near = try await alice.one("near", park)
                #expect(near["id"] as? String == id)
                let far = try await alice.one("near", "-33.86,151.2", exitCode: 0)
                #expect(far["event"] as? String == "none")
                let short = try #require(post["short"] as? String)
                _ = try await alice.one("comment", short, "It", "runs", "--wait", "0")
                #expect(try await alice.one("like", short, "--wait", "0")["likes"] as? Int == 1)
                #expect(try await alice.one("edit", short, "Dry", "--wait", "0")["text"] as? String == "Dry")
                #expect(try await alice.one("delete", short, "--wait", "0")["state"] as? String == "deleted_by_author")
                #expect(try await alice.one("near", park)["event"] as? String == "none")
            }
        }

        /// A running chat takes up what a command of the same person writes, and a neighbour reads it.
        @Test func aPostBesideARunningChatReachesTheNeighbour() async throws {
            try await onStage { stage in
                let (alice, bob) = (PersonShell(stage, "alice"), PersonShell(stage, "bob"))
                _ = try await bob.one("here", park)
                let first = try stage.start("alice", ["--discovery", "off"], home: alice.home)
                let second = try stage.start(
                    "bob", ["--discovery", "off", "--peer", try await first.address()], home: bob.home)
                try await second.connected(to: first)
                let post = try await alice.one("post", "Soup", "--at", park)
                let told = try await second.event("a post near bob") { $0.event == "posted" }
                #expect(told.text == "Soup")
                let read = try await bob.one("show", try #require(post["id"] as? String))
                #expect(read["text"] as? String == "Soup")
                #expect(read["author_name"] as? String == "alice")
            }
        }

        /// Nobody has to run anything for long: the command itself hands over.
        @Test func aPostHandsItselfOverToWhoeverIsThere() async throws {
            try await onStage { stage in
                let (alice, bob) = (PersonShell(stage, "alice"), PersonShell(stage, "bob"))
                let listener = try stage.start("bob", ["--discovery", "off"], home: bob.home)
                let address = try await listener.address()
                let post = try await alice.one(
                    "post", "Soup", "--at", park, "--discovery", "off", "--peer", address, "--wait", "60")
                let id = try #require(post["id"] as? String)
                try await eventually("bob has the post") {
                    try await bob.one("show", id, "--from", park, exitCode: nil)["text"] as? String == "Soup"
                }
            }
        }

        @Test func aPostWrittenAloneGoesOutWhenSomebodyComes() async throws {
            try await onStage { stage in
                let (alice, bob) = (PersonShell(stage, "alice"), PersonShell(stage, "bob"))
                let post = try await alice.one("post", "Soup", "--at", park, "--wait", "0")
                let id = try #require(post["id"] as? String)
                let first = try stage.start("alice", ["--discovery", "off"], home: alice.home)
                let second = try stage.start(
                    "bob", ["--discovery", "off", "--peer", try await first.address()], home: bob.home)
                try await second.connected(to: first)
                try await eventually("bob has the post") {
                    try await bob.one("show", id, "--from", park, exitCode: nil)["text"] as? String == "Soup"
                }
                try await eventually("alice knows that it is taken") {
                    try await alice.one("store", "stats")["waiting"] as? Int == 0
                }
            }
        }

        @Test func aChatWaitsForACommandThatHandsOver() async throws {
            try await onStage { stage in
                let alice = PersonShell(stage, "alice")
                let post = try stage.run(
                    ["post", "Soup", "--at", park, "--name", "alice", "--discovery", "off", "--wait", "3"], as: "post",
                    home: alice.home)
                // It reports the post before it looks for peers.
                try await eventually("the post is reported") { post.output.lines.count == 1 }
                let chat = try stage.start("alice", ["--discovery", "off"], home: alice.home)
                try await chat.ready()
                #expect(try await post.exitCode() == 0)
                #expect(post.error.text.contains("stored"))
            }
        }

        @Test func whatWasSaidSurvivesAKill() async throws {
            try await onStage { stage in
                let alice = PersonShell(stage, "alice")
                let chat = try stage.start("alice", ["--discovery", "off"], home: alice.home)
                try await chat.ready()
                chat.say((0..<50).map { "/post number \($0) --at \(park)" })
                var posts: [Event] = []
                try await eventually("some posts are answered") {
                    posts = try chat.events().filter { $0.event == "item" }
                    return posts.count >= 20
                }
                chat.child.send(SIGKILL)
                _ = try await chat.exitCode()
                for post in posts {
                    let id = try #require(post.id)
                    #expect(try await alice.one("show", id)["text"] as? String == post.text)
                }
                #expect(try await alice.one("store", "check")["faults"] as? [String] == [])
            }
        }

        @Test func aBundleCarriesPostsOnAStick() async throws {
            try await onStage { stage in
                let (alice, bob) = (PersonShell(stage, "alice"), PersonShell(stage, "bob"))
                for text in ["one", "two", "three"] {
                    _ = try await alice.one("post", text, "--at", park, "--wait", "0")
                }
                let stick = "\(stage.folder)/posts.bundle"
                let exported = try await alice.one("export", "--bundle", stick)
                // Three posts and a profile.
                #expect(exported["records"] as? Int == 4)
                let piped = try stage.run(["export", "--bundle", "-", "--name", "alice"], as: "pipe", home: alice.home)
                try #require(try await piped.exitCode() == 0)
                #expect(piped.error.text.contains("wrote 4 records"))
                let bytes = try Data(contentsOf: URL(filePath: stick))
                #expect(piped.output.bytes == Array(bytes))
                try bytes.dropLast(10).write(to: URL(filePath: "\(stage.folder)/half"))
                let half = try await bob.one("import", "\(stage.folder)/half", exitCode: 1)
                #expect(half["added"] as? Int == 3)
                #expect(half["broken_at"] as? Int != nil)
                let whole = try await bob.one("import", stick)
                #expect(whole["added"] as? Int == 1)
                #expect(whole["known"] as? Int == 3)
                let texts = try await bob.all("near", park).compactMap { $0["text"] as? String }
                #expect(Set(texts) == ["one", "two", "three"])
            }
        }

        @Test func everythingThatIsWrongWithAnEventIsToldAtOnce() async throws {
            try await onStage { stage in
                let alice = PersonShell(stage, "alice")
                let error = try await alice.one("event", "create", exitCode: 2)
                #expect(error["event"] as? String == "error")
                let fields = (error["errors"] as? [[String: Any]])?.compactMap { $0["field"] as? String }
                #expect(fields == ["place", "name", "starts"])
                let none = try await alice.one("event", "near", park)
                #expect(none["message"] as? String == "No events found")
            }
        }

        @Test(.enabled(if: SmallDisk.isPossible, "only root mounts a disk"))
        func aFullDiskIsToldAndReadingGoesOn() async throws {
            try await onStage { stage in
                let disk = try SmallDisk(at: "\(stage.folder)/small", bytes: 4 << 20)
                defer { disk.end() }
                let alice = PersonShell(stage, "alice", home: disk.path)
                _ = try await alice.one("post", "first", "--at", park, "--wait", "0")
                try disk.fill()
                let refused = try await alice.one("post", "second", "--at", park, "--wait", "0", exitCode: 1)
                #expect(refused["code"] as? String == "diskFull")
                #expect(try await alice.all("near", park).compactMap { $0["text"] as? String } == ["first"])
                disk.makeRoom()
                _ = try await alice.one("post", "third", "--at", park, "--wait", "0")
                #expect(try await alice.all("near", park).count == 2)
            }
        }

        @Test func aPostTravelsOverSomebodyInBetween() async throws {
            try await onStage { stage in
                let (alice, carol) = (PersonShell(stage, "alice"), PersonShell(stage, "carol"))
                _ = try await carol.one("here", park)
                let bob = try stage.host("bob")
                let peer = ["--discovery", "off", "--peer", try await bob.address()]
                let first = try stage.start("alice", peer, home: alice.home)
                let third = try stage.start("carol", peer, home: carol.home)
                for end in [first, third] { try await end.connected(to: bob) }
                first.say("/post Fire at the barn --at \(park) --name-place barn")
                let told = try await third.event("a post near carol") { $0.event == "posted" }
                #expect(told.text == "Fire at the barn")
            }
        }
    }
}
