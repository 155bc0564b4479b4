import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// The card of a mesh, from the one who writes it to those who come by their link.
    @Suite(.timeLimit(.minutes(10))) struct CardTests {
        private static let mesh = ["--mesh", "camp"]

        private struct Invitation: Decodable {
            let link: String
        }

        /// Anybody who reads a log could come in with it.
        @Test(arguments: [["run"], ["chat"], ["mesh", "take"]])
        func aLinkWithoutACardIsRefusedAndItsKeyNotRepeated(command: [String]) async throws {
            try await onStage { stage in
                let key = String(repeating: "A", count: 43)
                let link = "lattice://join/camp?v=1&key=\(key)"
                let option = command == ["mesh", "take"] ? [] : ["--mesh-card"]
                let run = try stage.run(command + option + [link, "--name", "alice"])
                #expect(try await run.exitCode() == 2)
                #expect(run.error.text.contains("names no card"), "\(run.error.text)")
                #expect(!(run.error.text + run.output.text).contains(key))
            }
        }

        @Test func aLinkIntoAClosedMeshNamesTheCardToo() async throws {
            try await onStage { stage in
                let path = "\(stage.folder)/passphrase"
                try Data("four words are enough\n".utf8).write(to: URL(filePath: path))
                chmod(path, 0o600)
                let passphrase = ["--passphrase-file", path]
                let alice = try stage.start(
                    "alice", ["--discovery", "off"] + Self.mesh + passphrase, home: stage.folder)
                let address = try await alice.address()
                alice.say("/mesh set --called Camp --welcome Hello!")
                _ = try await alice.event("the card") { $0.event == "card" && $0.name == "Camp" }
                let invite = ["invite", "--name", "alice", "--json", "--address", address] + Self.mesh
                for options in [[], passphrase, passphrase + ["--with-key"]] {
                    let run = try stage.run(invite + options, home: stage.folder)
                    #expect(try await run.exitCode() == 0, "\(run.error.text)")
                    let link = try JSONDecoder().decode(Invitation.self, from: Data(run.output.text.utf8)).link
                    #expect(link.contains("&card="), "\(options)")
                    guard options.count == 3 else { continue }
                    let bob = try stage.run(
                        ["join", link, "--name", "bob", "--json", "--discovery", "off"], as: "bob")
                    #expect(try await bob.event("a greeting") { $0.event == "card" }.welcome == "Hello!")
                }
            }
        }

        @Test func whoJoinsByALinkTakesTheCardOfTheMeshAndOfNobodyElse() async throws {
            try await onStage { stage in
                let alice = try stage.start("alice", ["--discovery", "off"] + Self.mesh, home: stage.folder)
                let address = try await alice.address()
                alice.say("/mesh set --called \"Camp by the lake\" --welcome Hello! --rules \"Quiet after ten.\"")
                let mine = try await alice.event("the card") { $0.event == "card" && $0.name == "Camp by the lake" }
                let id = try await alice.ready().id
                #expect(mine.mine == true && mine.signer == id)
                let invite = try stage.run(
                    ["invite", "--name", "alice", "--address", address, "--json"] + Self.mesh, home: stage.folder)
                #expect(try await invite.exitCode() == 0, "\(invite.error.text)")
                let link = try JSONDecoder().decode(Invitation.self, from: Data(invite.output.text.utf8)).link
                #expect(link.contains("&card="))

                // Somebody else's card is there, too.
                let carol = try stage.host("carol", Self.mesh + ["--peer", address])
                try await carol.connected(to: alice)
                carol.say("/mesh set --called \"Carol's camp\" --rules \"No rules.\"")
                _ = try await carol.event("her card") { $0.event == "card" && $0.name == "Carol's camp" }

                let home = "\(stage.folder)/b"
                let bob = try stage.run(
                    ["join", link, "--name", "bob", "--json", "--discovery", "off"], as: "bob", home: home)
                let greeting = try await bob.event("a greeting") { $0.event == "card" && $0.name != nil }
                #expect(greeting.name == "Camp by the lake" && greeting.rules == "Quiet after ten.")
                #expect(greeting.welcome == "Hello!" && greeting.mine == false)
                #expect(greeting.signer == mine.signer)
                // All that carol has is here now.
                carol.say("anybody there?")
                try await bob.hears("anybody there?")
                bob.say("/mesh", "/quit")
                #expect(try await bob.exitCode() == 0)
                let cards = try bob.events().filter { $0.event == "card" && $0.name != nil }
                #expect(cards.count == 2 && cards.allSatisfy { $0.name == "Camp by the lake" })

                // A later start has no link.
                let later = try stage.run(["mesh", "--name", "bob"] + Self.mesh, home: home)
                #expect(try await later.exitCode() == 0)
                #expect(later.output.lines.first == "Camp by the lake")
                for words in ["signed by alice#", "Quiet after ten."] {
                    #expect(later.output.text.contains(words), "\(later.output.text)")
                }
                let told = try stage.run(
                    ["mesh", "take", try await carol.ready().id ?? "", "--name", "bob", "--wait", "0"] + Self.mesh,
                    home: home)
                #expect(try await told.exitCode() == 0, "\(told.error.text)")
                #expect(told.output.lines.first == "Carol's camp")
            }
        }
    }
}
