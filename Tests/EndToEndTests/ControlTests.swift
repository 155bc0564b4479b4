import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A node that runs on, and the commands and chats that use it.
    @Suite(.timeLimit(.minutes(10))) struct ControlTests {
        /// Starts `lattice run`, and waits until it can be asked.
        private func node(_ name: String, on stage: Stage, _ arguments: [String] = []) async throws -> (
            Peer, PersonShell
        ) {
            let shell = PersonShell(stage, name)
            let node = try stage.run(
                ["run", "--name", name, "--discovery", "off"] + arguments, as: name, home: shell.home)
            try await eventually("\(name) can be asked") {
                if let code = node.child.exitCode { throw NeverHappened(what: "\(name) ended with \(code)") }
                return try await shell.all("stats", exitCode: nil).first?["event"] as? String == "node_stats"
            }
            return (node, shell)
        }

        private func port(of node: Peer) throws -> String {
            let text = try #require(node.error.text.firstMatch(of: /port=([0-9]+)/))
            return "127.0.0.1:\(text.1)"
        }

        @Test func whatRunsSaysWhatCommandsSayAndTellsWhatItHears() async throws {
            try await onStage { stage in
                let (alice, alices) = try await node("alice", on: stage)
                let (_, bobs) = try await node("bob", on: stage, ["--peer", try port(of: alice), "--room", "#park"])
                let watch = try stage.run(["watch", "--name", "bob", "--json"], as: "watch", home: bobs.home)
                try await watch.event("alice is there") { $0.event == "peer" && $0.state == "connected" }
                let said = try await alices.one("say", "park", "grüß", "dich")
                #expect(said["state"] as? String == "taken" && said["room"] as? String == "#park")
                try await watch.hears("grüß dich")
                let peers = try #require(try await alices.one("peers")["peers"] as? [[String: Any]])
                #expect(peers.map { $0["name"] as? String } == ["bob"])
                #expect(try await alices.one("stats")["links"] as? Int == 1)
                // Bob left no post, and is called as he was met.
                let followed = try await alices.one("follow", "bob")
                #expect(followed["name"] as? String == "bob" && followed["followed_by_me"] as? Bool == true)
                #expect(try await bobs.all("history", "park").map { $0["text"] as? String } == ["grüß dich"])
                #expect(try await bobs.one("follow", "alice")["name"] as? String == "alice")
                try await eventually("alice sees who follows her") {
                    let heard = try await alices.all("notifications")
                    return heard.contains { ($0["by"] as? [String: Any])?["name"] as? String == "bob" }
                }
                let misled = try await alices.one("say", "bob", "for you alone", exitCode: 2)
                #expect((misled["message"] as? String)?.contains("'lattice send bob …'") == true)
                #expect(try await alices.one("say", "#bob", "for all")["state"] as? String == "taken")
                watch.child.send(SIGINT)
                #expect(try await watch.exitCode() == 0)
            }
        }

        @Test func whatACommandSaysIsShownInTheChatThatRuns() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                let alice = try stage.start("alice", ["--discovery", "off"], home: home)
                try await alice.ready()
                let bob = try await stage.guest("bob", of: alice)
                let said = try await PersonShell(stage, "alice", home: home).one("say", "lobby", "by a command")
                #expect(said["state"] as? String == "taken")
                try await bob.hears("by a command")
                try await alice.event("what the command said") { $0.event == "message" && $0.text == "by a command" }
            }
        }

        @Test func whoeverLeavesTheRoomOutIsTold() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                func say(_ words: [String]) async throws -> String {
                    let say = try stage.run(
                        ["say"] + words + ["--name", "alice", "--discovery", "off", "--wait", "0"], home: home)
                    #expect(try await say.exitCode() == 0)
                    return say.error.text
                }
                let told = try await say(["backup", "done"])
                #expect(told.contains("nobody in sight is in #backup; the room comes first"))
                for words in [["#backup", "done"], ["lobby", "done"]] {
                    let told = try await say(words)
                    #expect(!told.contains("comes first"))
                }
            }
        }

        /// What runs is in a closed mesh; a command that names none means the open one, and says nothing there either.
        @Test func whatIsForAnotherMeshDoesNotLandInTheOneThatRuns() async throws {
            try await onStage { stage in
                let path = "\(stage.folder)/passphrase"
                #expect(
                    FileManager.default.createFile(
                        atPath: path, contents: Data("four words of mine".utf8), attributes: [.posixPermissions: 0o600])
                )
                let (_, alices) = try await node("alice", on: stage, ["--passphrase-file", path])
                let open = try await alices.one("say", "park", "x", exitCode: 69)
                #expect((open["message"] as? String)?.contains("add --passphrase") == true)
                let other = "\(stage.folder)/other"
                #expect(
                    FileManager.default.createFile(
                        atPath: other, contents: Data("four words of hers".utf8), attributes: [.posixPermissions: 0o600]
                    )
                )
                let wrong = try await alices.one("say", "park", "x", "--passphrase-file", other, exitCode: 69)
                #expect(
                    (wrong["message"] as? String)?.contains("with a different passphrase; give that passphrase") == true
                )
                let closed = try await alices.one("say", "park", "x", "--passphrase-file", path, "--wait", "0")
                #expect(closed["state"] as? String == "waiting")
                #expect(try await alices.all("history", "park").allSatisfy { $0["text"] as? String != "x" })
            }
        }

        @Test func whenWhatRunsEndsThoseWhoUseItAreTold() async throws {
            try await onStage { stage in
                let (alice, alices) = try await node("alice", on: stage)
                let watches = try (1...2).map { number in
                    try stage.run(["watch", "--name", "alice", "--json"], as: "watch \(number)", home: alices.home)
                }
                for watch in watches { try await watch.ready() }
                alice.child.send(SIGTERM)
                #expect(try await alice.exitCode() == 0)
                for watch in watches {
                    #expect(try await watch.exitCode() == 69)
                    #expect(watch.error.text.contains("the node of this folder has ended"))
                }
                let refusal = try stage.run(["peers", "--name", "alice"], home: alices.home)
                #expect(try await refusal.exitCode() == 69)
                #expect(refusal.error.text.contains("'lattice run'"))
            }
        }

        /// Its socket stands there still, and nobody answers.
        @Test func afterAKillTheNextOneTakesOver() async throws {
            try await onStage { stage in
                let (first, alices) = try await node("alice", on: stage)
                first.child.send(SIGKILL)
                #expect(try await first.exitCode() == 128 + SIGKILL)
                let kept = try await alices.all(
                    "say", "park", "alone", "--discovery", "off", "--wait", "0")
                #expect(kept.map { $0["state"] as? String } == ["waiting"])
                let (second, _) = try await node("alice", on: stage)
                #expect(try await alices.all("history", "park").map { $0["text"] as? String } == ["alone"])
                second.child.send(SIGINT)
                #expect(try await second.exitCode() == 0)
            }
        }

        @Test func aMeshThatIsNamedIsNotTakenForAnother() async throws {
            try await onStage { stage in
                let (alice, alices) = try await node("alice", on: stage, ["--mesh", "camp"])
                let other = try await alices.all("say", "park", "x", "--mesh", "other", exitCode: 69)
                #expect(other.count == 1)
                #expect(alice.child.exitCode == nil)
                let same = try await alices.all("say", "park", "x", "--mesh", "camp", "--wait", "0")
                #expect(same.first?["state"] as? String == "waiting")
                for command in ["peers", "stats"] {
                    let refused = try await alices.all(command, "--mesh", "other", exitCode: 69)
                    #expect((refused.first?["message"] as? String)?.contains("in the open mesh camp") == true)
                    _ = try await alices.one(command, "--mesh", "camp")
                    let told = try stage.run([command, "--name", "alice"], home: alices.home)
                    #expect(try await told.exitCode() == 0)
                    #expect(told.error.text.contains("in the open mesh camp"))
                }
            }
        }

        @Test func aPassphraseStandsBeforeTheLineOnStandardInput() async throws {
            try await onStage { stage in
                let reader = try Pipe.reader(of: "four words of mine\nthe soup is ready\n")
                defer { close(reader) }
                let said = try stage.run(
                    [
                        "say", "park", "-", "--name", "alice", "--discovery", "off", "--wait", "0", "--passphrase-file",
                        "-",
                    ], input: reader)
                #expect(try await said.exitCode() == 0)
                #expect(said.error.text.contains("stored; it is sent when somebody is there"))
            }
        }

        /// Any program that can write a line to a socket.
        @Test func aProgramAsksByLinesOfJSON() async throws {
            try await onStage { stage in
                let (_, alices) = try await node("alice", on: stage)
                let socket = try UnixSocket("\(alices.home)/lattice/alice/control.sock")
                #expect(try mode("\(alices.home)/lattice/alice/control.sock") == 0o600)
                socket.send(##"{"jsonrpc":"2.0","id":1,"method":"say","params":{"text":"hi","room":"#park"}}"## + "\n")
                let answer = try JSONSerialization.jsonObject(with: Data(socket.line().utf8)) as? [String: Any]
                let result = try #require(answer?["result"] as? [String: [String: Any]])
                #expect(result["said"]?["isWaiting"] as? Bool == true && answer?["id"] as? Int == 1)
                socket.send("nonsense\n")
                #expect(socket.line().contains("this line is not JSON"))
            }
        }

        private func mode(_ path: String) throws -> Int {
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            return try #require(facts[.posixPermissions] as? Int)
        }
    }
}

/// A connection to a Unix socket that is read line by line.
// Safety: buffers are lent to read(2), write(2) and connect(2) for the length of the call, with their true sizes.
final class UnixSocket {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0, "\(path): \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    func line() -> String {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            var chunk = [UInt8](repeating: 0, count: 4_096)
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return "" }
            buffer += chunk[..<count]
        }
    }
}
