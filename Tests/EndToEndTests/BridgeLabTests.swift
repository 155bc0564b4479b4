import Foundation
import Glibc
import TestPictures
import Testing

extension EndToEnd {
    /// Two networks that share no segment, each with its own mDNS, and three NATS servers on a host that both reach.
    @Suite(
        .timeLimit(.minutes(10)),
        .enabled(if: Lab.hasAvahi && Lab.has("nats-server"), "this needs root, avahi-daemon, dbus and nats-server"))
    struct BridgeLabTests {
        private static let bridge = Program.path + "-bridge"
        private static func url(_ address: String) -> String {
            (1...3).map { "nats://\(address):1422\($0)" }.joined(separator: ",")
        }

        /// What people do from one network to the other, and whether it has come.
        private struct Town {
            let stage: Stage
            let closed: [String]
            let picture: String
            let bobsID: String

            func tell(_ name: String, _ arguments: String...) async throws -> [[String: Any]] {
                let command = try stage.run(
                    arguments + ["--name", name, "--json"] + closed, as: "\(name): \(arguments)",
                    on: Self.hosts[name], home: "\(stage.folder)/\(name)")
                try #require(try await command.exitCode() == 0, "\(command.transcript)")
                return try command.output.lines.map { line in
                    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                }
            }

            static let hosts = ["alice": "a", "anna": "a", "bob": "c", "ben": "c"]

            private func texts(_ objects: [[String: Any]]) -> [String] { objects.compactMap { $0["text"] as? String } }

            /// - Returns: the post, which both say something about.
            func speak(_ round: String) async throws -> String {
                _ = try await tell("anna", "say", "park", "there \(round)", "--wait", "0")
                _ = try await tell("ben", "say", "park", "back \(round)", "--wait", "0")
                _ = try await tell("alice", "send", bobsID, "secret \(round)", "--wait", "0")
                let gone = try await tell("alice", "post", "gone \(round)", "--at", "52.5,13.4", "--wait", "0")
                _ = try await tell("alice", "delete", try #require(gone.first?["id"] as? String), "--wait", "0")
                let post = try await tell(
                    "alice", "post", "out \(round)", "--at", "52.5,13.4", "--photo", picture, "--wait", "0")
                return try #require(post.first?["id"] as? String)
            }

            func isComplete(_ round: String, _ post: String) async throws -> Bool {
                guard texts(try await tell("anna", "history", "park")).contains("back \(round)"),
                    texts(try await tell("ben", "history", "park")).contains("there \(round)"),
                    texts(try await tell("bob", "messages")).contains("secret \(round)")
                else { return false }
                let near = texts(try await tell("ben", "near", "52.5,13.4"))
                guard near.contains("out \(round)"), !near.contains("gone \(round)") else { return false }
                let view = try stage.run(
                    ["view", post, "--ascii", "--name", "ben"] + closed, as: "view", on: "c",
                    home: "\(stage.folder)/ben")
                guard try await view.exitCode() == 0, view.output.text.split(separator: "\n").count > 10 else {
                    return false
                }
                let item = try await tell("alice", "show", post).first
                return item?["likes"] as? Int == 1 && item?["comments"] as? Int == 1
            }

            func answer(_ post: String) async throws {
                try await eventually("ben sees the post") {
                    try await tell("ben", "near", "52.5,13.4").contains { $0["id"] as? String == post }
                }
                _ = try await tell("ben", "like", post, "--wait", "0")
                _ = try await tell("ben", "comment", post, "I see it", "--wait", "0")
            }
        }

        @Test(arguments: [false, true])
        func everythingGoesFromOneNetworkToTheOtherLiveAndAfterAnOutage(isClosed: Bool) async throws {
            try await inLab("line") { stage, lab in
                for number in 1...3 { try broker(number, on: stage) }
                for host in ["a", "c"] { try await lab.avahi(host, "start") }
                let secret = "\(stage.folder)/passphrase"
                try "five words that nobody guesses\n".write(toFile: secret, atomically: true, encoding: .utf8)
                #expect(chmod(secret, 0o600) == 0)
                let closed = isClosed ? ["--passphrase-file", secret] : []
                var bobsID = ""
                for (name, host) in Town.hosts.sorted(by: { $0.key < $1.key }) {
                    let node = try await stage.node(name, host: host, ["--room", "#park"] + closed)
                    if name == "bob" {
                        bobsID = String(try #require(node.error.text.firstMatch(of: /\bid=([0-9a-f]{64})/)).1)
                    }
                }
                let picture = "\(stage.folder)/picture.png"
                try Data(PictureFile.png(1)).write(to: URL(filePath: picture))
                let town = Town(stage: stage, closed: closed, picture: picture, bobsID: bobsID)
                for name in Town.hosts.keys { _ = try await town.tell(name, "bridge", "allow", "#park", "--wait", "0") }
                for (name, address) in [("alice", "10.77.1.2"), ("bob", "10.77.2.2")] {
                    _ = try stage.run(
                        ["nats", "--url", Self.url(address), "--replicas", "3", "--name", name],
                        as: "bridge of \(name)", on: Town.hosts[name], home: "\(stage.folder)/\(name)",
                        under: [Self.bridge], isProgram: false)
                }
                for round in ["live", "later"] {
                    if round == "later" { try await lab.cut("c") }
                    let post = try await town.speak(round)
                    if round == "later" { try await lab.mend("c") }
                    try await town.answer(post)
                    try await eventually("everything has come") { try await town.isComplete(round, post) }
                }
                let lines = try await town.tell("ben", "history", "park").compactMap { $0["text"] as? String }
                #expect(
                    lines.sorted() == ["back later", "back live", "there later", "there live"], "each is shown once")
            }
        }

        private func broker(_ number: Int, on stage: Stage) throws {
            let others = (1...3).map { "\"nats://127.0.0.1:1622\($0)\"" }.joined(separator: ", ")
            let text = """
                server_name: "n\(number)"
                listen: "0.0.0.0:1422\(number)"
                ping_interval: "5s"
                ping_max: 2
                jetstream { store_dir: "\(stage.folder)/n\(number)", max_file: 1G, max_mem: 64M }
                cluster { name: test, listen: "127.0.0.1:1622\(number)", routes: [\(others)] }
                """
            let file = "\(stage.folder)/n\(number).conf"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            _ = try stage.run(
                ["-c", file], as: "broker \(number)", on: "b", under: ["nats-server"], isProgram: false)
        }
    }
}
