import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Files that only those read for whom they are.
    @Suite(.timeLimit(.minutes(10))) struct PrivateFileTests {
        /// Alice and carol are connected over bob only.
        private func line(on stage: Stage) async throws -> (alice: Peer, bob: Peer, carol: Peer) {
            let quiet = ["--discovery", "off"]
            let bob = try await stage.node("bob", quiet)
            let address = try bob.listening()
            let alice = try await stage.node("alice", quiet + ["--peer", address])
            return (alice, bob, try await stage.node("carol", quiet + ["--peer", address]))
        }

        private func isListed(_ file: String, for name: String, on stage: Stage) async throws {
            try await eventually("\(name) hears of \(file)") {
                try await stage.ask(name, "file", "list").output.text.contains(file)
            }
        }

        /// Whether these bytes stand in any file of this person's.
        private func holds(_ name: String, _ bytes: Data, on stage: Stage) throws -> Bool {
            let root = URL(filePath: "\(stage.folder)/\(name)")
            let found = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
            for case let url as URL in found
            where try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                if try Data(contentsOf: url).range(of: bytes) != nil { return true }
            }
            return false
        }

        @Test func aFileForOnePersonPassesOthersWithoutBeingRead() async throws {
            try await onStage { stage in
                let path = try stage.randomFile("secret plan.pdf", bytes: 700_000)
                _ = try await line(on: stage)
                try await eventually("alice knows carol") {
                    try await stage.ask("alice", "peers").output.text.contains("carol")
                }
                let sent = try await stage.ask("alice", "file", "send", "carol", path)
                #expect(sent.output.text == "sent secret plan.pdf (700.0 kB) to carol\n")
                try await isListed("secret plan.pdf", for: "carol", on: stage)
                let folder = "\(stage.folder)/fetched"
                let got = try await stage.ask("carol", "file", "get", "secret plan.pdf", "--output", folder)
                #expect(got.output.text == "secret plan.pdf is saved as \(folder)/secret plan.pdf\n")
                #expect(FileManager.default.contentsEqual(atPath: path, andPath: "\(folder)/secret plan.pdf"))
                let listed = try await stage.ask("carol", "file", "list", "--with", "alice")
                #expect(listed.output.text.contains("with alice"))
                #expect(!listed.output.text.contains("(delivered)"))
                try await eventually("alice knows that carol has it") {
                    try await stage.ask("alice", "file", "list", "--with", "carol").output.text
                        .contains("secret plan.pdf (delivered)")
                }
                let said = try await stage.ask("carol", "messages", "alice")
                #expect(said.output.text.contains("shares the file secret plan.pdf (700.0 kB)"))

                // Bob passed all of it on.
                #expect(try await stage.ask("bob", "file", "list").output.text.contains("secret") == false)
                let bytes = try Data(contentsOf: URL(filePath: path))
                #expect(try !holds("bob", bytes[300_000..<300_032], on: stage))
                #expect(try !holds("bob", Data("secret plan".utf8), on: stage))
                #expect(try holds("carol", Data("secret plan".utf8), on: stage))
            }
        }

        /// Alice's node has ended before carol comes back.
        @Test func aFileWaitsAtANeighbourForSomebodyWhoIsAway() async throws {
            try await onStage { stage in
                let path = try stage.randomFile("plan.pdf", bytes: 700_000)
                let (alice, bob, carol) = try await line(on: stage)
                try await eventually("alice knows carol") {
                    try await stage.ask("alice", "peers").output.text.contains("carol")
                }
                // From then on alice has carol's keys.
                _ = try await stage.ask("alice", "send", "carol", "hi", "--until", "delivered")
                carol.child.send(SIGKILL)
                _ = try await carol.exitCode()
                _ = try await stage.ask("alice", "file", "send", "carol", path)
                try await eventually("bob keeps it") { try keepsABlob("bob", bytes: 700_000, on: stage) }
                alice.child.send(SIGKILL)
                _ = try await alice.exitCode()
                _ = try await stage.node("carol", ["--discovery", "off", "--peer", try bob.listening()])
                try await isListed("plan.pdf", for: "carol", on: stage)
                let folder = "\(stage.folder)/fetched"
                _ = try await stage.ask("carol", "file", "get", "plan.pdf", "--output", folder)
                #expect(FileManager.default.contentsEqual(atPath: path, andPath: "\(folder)/plan.pdf"))
                // Alice hears of it when she is back.
                _ = try await stage.node("alice", ["--discovery", "off", "--peer", try bob.listening()])
                try await eventually("alice knows that carol has it") {
                    try await stage.ask("alice", "file", "list").output.text.contains("plan.pdf (delivered)")
                }
            }
        }

        /// The line is delivered at once, the file when it is fetched.
        @Test func aFileIsDeliveredWhenAllOfItIsThere() async throws {
            try await onStage { stage in
                let path = try stage.randomFile("plan.pdf", bytes: 300_000)
                let alice = try await stage.node("alice", ["--discovery", "off"])
                let address = try alice.listening()
                _ = try await stage.node("bob", ["--discovery", "off", "--peer", address])
                try await eventually("alice knows bob") {
                    try await stage.ask("alice", "peers").output.text.contains("bob")
                }
                _ = try await stage.ask("alice", "send", "bob", "hi", "--until", "delivered", "--wait", "60")
                let early = try await stage.ask("alice", "file", "send", "bob", path, "--wait", "1", code: 75)
                #expect(early.output.text == "sent plan.pdf (300.0 kB) to bob (waiting)\n")
                try await isListed("plan.pdf", for: "bob", on: stage)
                let listed = try await stage.ask("alice", "file", "list").output.text
                #expect(listed.contains("plan.pdf") && !listed.contains("delivered"))
                _ = try await stage.ask("bob", "file", "get", "plan.pdf", "--output", "\(stage.folder)/fetched")
                try await eventually("alice knows that bob has it") {
                    try await stage.ask("alice", "file", "list", "--json").output.text.contains(#""delivered":true"#)
                }

                let waiting = try stage.run(
                    ["file", "send", "bob", path, "--wait", "300", "--name", "alice"], as: "alice",
                    home: "\(stage.folder)/alice")
                try await eventually("bob hears of all") {
                    let listed = try await stage.ask("bob", "file", "list", "--with", "alice").output.text
                    return listed.components(separatedBy: "plan.pdf").count == 3
                }
                _ = try await stage.ask("bob", "file", "get", "plan.pdf", "--output", "\(stage.folder)/again")
                #expect(try await waiting.exitCode() == 0)
                #expect(waiting.output.text == "sent plan.pdf (300.0 kB) to bob (delivered)\n")
            }
        }

        /// Whether there is a complete blob of this size or more.
        private func keepsABlob(_ name: String, bytes: Int, on stage: Stage) throws -> Bool {
            let root = URL(filePath: "\(stage.folder)/\(name)")
            let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.fileSizeKey])
            return try (found?.compactMap { $0 as? URL } ?? []).contains { url in
                guard url.path.contains(".blobs/"), !url.path.contains("/part/"), !url.path.contains("/new/") else {
                    return false
                }
                return try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 >= bytes
            }
        }

        @Test func afterItsMessageIsDeletedNobodyHasTheFile() async throws {
            try await onStage { stage in
                let path = try stage.randomFile("plan.pdf", bytes: 50_000)
                let alice = try stage.host("alice")
                let carol = try await stage.guest("carol", of: alice)
                alice.say("/send carol \(path)")
                let heard = try await carol.event("the file") { $0.event == "private" && $0.file != nil }
                #expect(heard.text == "shares the file plan.pdf (50.0 kB)")
                let folder = "\(stage.folder)/fetched"
                carol.say("/query alice", "/get --output \(folder)")
                try await eventually("it is saved") {
                    FileManager.default.contentsEqual(atPath: path, andPath: "\(folder)/plan.pdf")
                }
                func shows(_ text: String) async throws {
                    try await eventually("carol is shown \(text)") { carol.output.text.contains(text) }
                }
                carol.say("/files")
                try await shows(#""private":true"#)
                alice.say("/query carol", "/delete")
                try await shows("private_changed")
                carol.say("/get plan.pdf")
                try await shows("there is nothing with the id plan.pdf")
                carol.say("/query", "/send alice nothing.pdf")
                try await shows("nothing.pdf: No such file or directory")
            }
        }

        @Test func inAPrivateRoomOnlyMembersFindIt() async throws {
            try await onStage { stage in
                let path = try stage.randomFile("camp map.pdf", bytes: 90_000)
                let key = "\(stage.folder)/key"
                try Data("correct horse\n".utf8).write(to: URL(filePath: key))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
                let camp = ["--room", "#camp", "--room-key-file", key]
                let alice = try stage.host("alice", camp)
                let carol = try await stage.guest("carol", of: alice, camp)
                let bob = try await stage.guest("bob", of: alice, ["--room", "#camp"])
                alice.say("/send \"\(path)\"")
                let heard = try await carol.hears("shares the file camp map.pdf (90.0 kB)")
                #expect(heard.file != nil)
                let folder = "\(stage.folder)/fetched"
                carol.say("/get --output \(folder)")
                try await eventually("it is saved") {
                    FileManager.default.contentsEqual(atPath: path, andPath: "\(folder)/camp map.pdf")
                }
                bob.say("/files")
                try await eventually("bob has no files") { bob.output.text.contains("no files yet") }
                #expect(!bob.output.text.contains("camp map"))
            }
        }
    }
}
