import Foundation
import Testing

extension EndToEnd {
    /// Rooms that only their members read.
    @Suite(.timeLimit(.minutes(10))) struct PrivateRoomTests {
        private func key(_ stage: Stage, _ text: String, mode: Int = 0o600) throws -> String {
            let path = "\(stage.folder)/\(UUID().uuidString)"
            try Data("\(text)\n".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }

        @Test func aScriptTakesTheKeyFromAFile() async throws {
            try await onStage { stage in
                let file = try key(stage, "correct horse")
                let camp = ["--room", "#camp", "--room-key-file", file]
                let alice = try stage.host("alice", camp)
                let bob = try await stage.guest("bob", of: alice, camp)
                let carol = try await stage.guest("carol", of: alice, ["--room", "#camp"])
                alice.say("under the oak")
                let heard = try await bob.hears("under the oak")
                #expect(heard.room == "#camp")
                carol.say("in public")
                try await bob.event("word of the public room") { $0.code == "roomNamesake" }
                bob.say("at six")
                _ = try await alice.hears("at six")
                #expect(try !alice.heard().contains("in public") && !bob.heard().contains("in public"))
                #expect(try carol.heard().allSatisfy { $0 == "in public" })
                let told = carol.output.text + carol.error.text
                #expect(!told.contains("oak") && !told.contains("at six"))
                // Carol's machine and everything on it, which had all of it to pass on.
                for peer in [alice, bob, carol] { #expect(!peer.error.text.contains("horse")) }
            }
        }

        @Test(arguments: [("short", 0o600, 2, "8"), ("correct horse", 0o644, 1, "chmod 600")])
        func aKeyThatIsNoneIsRefused(text: String, mode: Int, code: Int32, reason: String) async throws {
            try await onStage { stage in
                let file = try key(stage, text, mode: mode)
                let alice = try stage.host("alice", ["--room", "#camp", "--room-key-file", file])
                #expect(try await alice.exitCode() == code)
                #expect(alice.error.text.contains(reason) && !alice.error.text.contains(text))
                let bob = try stage.host("bob", ["--room-key-file", file])
                #expect(try await bob.exitCode() == 2)
                #expect(bob.error.text.contains("--room"))
            }
        }
    }
}
