import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// `lattice-bridge mqtt` between nodes that do not see each other, with a real mosquitto.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Lab.has("mosquitto"), "this needs mosquitto"))
    struct MqttBridgeTests {
        private static let program = Program.path + "-bridge"

        private func site(_ name: String, on stage: Stage, _ arguments: [String] = []) async throws -> PersonShell {
            let (asking, shell) = (PersonShell(stage, name), PersonShell(stage, name, more: arguments))
            let node = try stage.run(
                ["run", "--name", name, "--discovery", "off", "--room", "#park"] + arguments, as: name, home: shell.home
            )
            try await eventually("\(name) can be asked") {
                if let code = node.child.exitCode { throw NeverHappened(what: "\(name) ended with \(code)") }
                return try await asking.all("stats", exitCode: nil).first?["event"] as? String == "node_stats"
            }
            _ = try await shell.one("bridge", "allow", "#park")
            return shell
        }

        private func bridge(
            _ shell: PersonShell, _ name: String, to broker: Mosquitto, on stage: Stage, _ arguments: [String] = []
        ) throws -> Peer {
            try stage.run(
                ["mqtt", "--url", broker.address, "--name", name] + arguments, as: "bridge of \(name)",
                home: shell.home, under: [Self.program], isProgram: false)
        }

        private func end(_ bridge: Peer) async throws {
            bridge.child.send(SIGTERM)
            #expect(try await bridge.exitCode() == 0, "\(bridge.transcript)")
        }

        private func park(_ shell: PersonShell) async throws -> [String] {
            try await shell.all("history", "park").compactMap { $0["text"] as? String }
        }

        @Test func whatIsSaidIsReadThereOnceAndAfterTheBrokerWasGone() async throws {
            try await onStage { stage in
                let broker = try await Mosquitto(on: stage)
                let (alice, bob) = (try await site("alice", on: stage), try await site("bob", on: stage))
                _ = try await alice.one("say", "park", "before", "--wait", "0")
                let watch = try stage.run(["watch", "--name", "bob", "--json"], as: "watch", home: bob.home)
                let bridges = [
                    try bridge(alice, "alice", to: broker, on: stage), try bridge(bob, "bob", to: broker, on: stage),
                ]
                try await eventually("bob has the first line") { try await park(bob) == ["before"] }
                _ = try await alice.one("say", "park", "there", "--wait", "0")
                try await watch.hears("there")
                _ = try await bob.one("say", "park", "back", "--wait", "0")
                try await eventually("alice has all") { try await park(alice) == ["before", "there", "back"] }
                try await broker.isGone {
                    _ = try await alice.one("say", "park", "meanwhile", "--wait", "0")
                    _ = try await bob.one("say", "park", "here too", "--wait", "0")
                    try await eventually("both wait") {
                        bridges.allSatisfy { $0.error.text.contains("waiting for the broker") }
                    }
                }
                try await eventually("both have all") {
                    let (there, here) = (try await park(alice), try await park(bob))
                    return there.count == 5 && there.sorted() == here.sorted()
                }
                #expect(watch.output.text.components(separatedBy: "\"there\"").count == 2, "it is shown once")
                for bridge in bridges { try await end(bridge) }
            }
        }

        @Test func aBridgeThatWasAwayGetsWhatItMissedFromAnyOther() async throws {
            try await onStage { stage in
                let broker = try await Mosquitto(on: stage)
                let alice = try await site("alice", on: stage)
                let bob = try await site("bob", on: stage)
                let carol = try await site("carol", on: stage)
                let first = try bridge(alice, "alice", to: broker, on: stage)
                let second = try bridge(bob, "bob", to: broker, on: stage)
                for number in 0..<30 { _ = try await alice.one("say", "park", "line \(number)", "--wait", "0") }
                try await eventually("bob has all") { try await park(bob).count == 30 }
                try await end(first)
                // The broker forgets everything, and Alice is away for good: only Bob's bridge has her lines.
                try await broker.isGone { _ = try await carol.one("say", "park", "hello", "--wait", "0") }
                let third = try bridge(carol, "carol", to: broker, on: stage)
                try await eventually("carol and bob have all") {
                    try await [park(carol).count, park(bob).count] == [31, 31]
                }
                try await end(second)
                let once = try bridge(alice, "alice", to: broker, on: stage, ["--once"])
                #expect(try await once.exitCode() == 0, "\(once.transcript)")
                #expect(try await park(alice).count == 31)
                try await end(third)
            }
        }

        @Test func aBridgeThatIsKilledLosesNothing() async throws {
            try await onStage { stage in
                let broker = try await Mosquitto(on: stage)
                let (alice, bob) = (try await site("alice", on: stage), try await site("bob", on: stage))
                let kept = try bridge(bob, "bob", to: broker, on: stage)
                for round in 0..<8 {
                    let bridge = try bridge(alice, "alice", to: broker, on: stage)
                    _ = try await alice.one("say", "park", "there \(round)", "--wait", "0")
                    _ = try await bob.one("say", "park", "back \(round)", "--wait", "0")
                    if round % 2 == 0 {
                        try await eventually("it is connected") {
                            bridge.error.text.contains("connected to the broker")
                        }
                    }
                    bridge.child.send(SIGKILL)
                    _ = try await bridge.exitCode()
                }
                _ = try bridge(alice, "alice", to: broker, on: stage)
                try await eventually("both have all") { try await [park(alice).count, park(bob).count] == [16, 16] }
                #expect(kept.child.exitCode == nil)
            }
        }

        @Test func aClosedMeshCrossesMqttSealed() async throws {
            try await onStage { stage in
                let broker = try await Mosquitto(on: stage)
                let key = "\(stage.folder)/passphrase"
                try "a long passphrase of the camp\n".write(toFile: key, atomically: true, encoding: .utf8)
                #expect(chmod(key, 0o600) == 0)
                let closed = ["--passphrase-file", key]
                let alice = try await site("alice", on: stage, closed)
                let bob = try await site("bob", on: stage, closed)
                _ = try await alice.one("say", "park", "a secret of the camp", "--wait", "0")
                _ = try bridge(alice, "alice", to: broker, on: stage)
                let second = try bridge(bob, "bob", to: broker, on: stage)
                try await eventually("bob has it") { try await park(bob) == ["a secret of the camp"] }
                // The broker keeps for Bob's bridge what it does not see.
                try await end(second)
                let third = try bridge(bob, "bob", to: broker, on: stage, ["--state", "\(stage.folder)/another"])
                _ = try await alice.one("say", "park", "a second secret of the camp", "--wait", "0")
                try await eventually("bob has both") { try await park(bob).count == 2 }
                try await broker.end()
                #expect(try broker.hasWritten("lattice/1/"))
                #expect(try !broker.hasWritten("secret of the camp"))
                #expect(third.child.exitCode == nil)
            }
        }

        @Test func whatAStrangerSaysAtTheBrokerIsDropped() async throws {
            try await onStage { stage in
                let broker = try await Mosquitto(on: stage)
                let (alice, bob) = (try await site("alice", on: stage), try await site("bob", on: stage))
                let bridges = [
                    try bridge(alice, "alice", to: broker, on: stage), try bridge(bob, "bob", to: broker, on: stage),
                ]
                _ = try await alice.one("say", "park", "before", "--wait", "0")
                try await eventually("bob has it") { try await park(bob) == ["before"] }
                try await broker.end()
                let tag = try #require(try tag(alice))
                try await broker.isGone {}
                try await broker.rubbish(
                    ["r/0", "r/f", "r/xyz", "q/all"].map { "lattice/1/\(tag)/\($0)" } + ["lattice/1/\(tag)/r/a"])
                _ = try await bob.one("say", "park", "after", "--wait", "0")
                try await eventually("both have both") {
                    try await [park(alice), park(bob)] == [["before", "after"], ["before", "after"]]
                }
                for bridge in bridges { try await end(bridge) }
            }
        }

        /// The name of the mesh at the broker, as the bridge's file has it.
        private func tag(_ shell: PersonShell) throws -> Substring? {
            try FileManager.default.subpathsOfDirectory(atPath: shell.home).lazy
                .compactMap { $0.firstMatch(of: #/bridge-mqtt-([0-9a-f]{16})\.state/#)?.1 }.first
        }

        @Test func wrongUseIsSaidInALine() async throws {
            try await onStage { stage in
                let shell = PersonShell(stage, "alice")
                let open = "\(stage.folder)/open"
                try "x".write(toFile: open, atomically: true, encoding: .utf8)
                #expect(chmod(open, 0o644) == 0)
                func run(_ arguments: [String]) async throws -> Peer {
                    let bridge = try stage.run(
                        ["mqtt"] + arguments, as: "bridge", home: shell.home, under: [Self.program], isProgram: false)
                    _ = try await bridge.exitCode()
                    return bridge
                }
                for (arguments, words) in [
                    (["--url", "mqtt://me:secret@127.0.0.1"], "password in --url"),
                    (["--url", "nats://x"], "no address"), (["--url", "mqtt://"], "no address"),
                    (["--url", "mqtt://x:0"], "1 to 65535"), (["--url", "mqtt://x:70000"], "1 to 65535"),
                    (["--url", "mqtt://127.0.0.1", "--ca", open], "use mqtts://"),
                    (["--url", "mqtts://127.0.0.1", "--ca", "\(open)2"], "No such file"),
                    (["--url", "mqtts://127.0.0.1", "--cert", open], "belong together"),
                    (["--url", "mqtts://127.0.0.1", "--cert", open, "--key", open], "chmod 600"),
                    (["--url", "mqtt://127.0.0.1", "--user", "me"], "belong together"),
                    (["--url", "mqtt://10.0.0.1", "--user", "me", "--password-file", open], "use mqtts://"),
                    (["--url", "mqtt://[::1]", "--user", "me", "--password-file", open], "chmod 600"), ([], "--url"),
                ] {
                    let bridge = try await run(arguments)
                    #expect(bridge.child.exitCode == 2)
                    #expect(bridge.error.text.contains(words), "\(bridge.error.text)")
                    #expect(bridge.error.text.contains("lattice-bridge mqtt --help"))
                    #expect(bridge.error.lines.count == 1)
                }
                let lonely = try await run(["--url", "mqtt://127.0.0.1:9", "--once", "--name", "alice"])
                #expect(lonely.child.exitCode == 75, "\(lonely.transcript)")
                _ = try await site("alice", on: stage)
                let deaf = try await run(["--url", "mqtt://127.0.0.1:9", "--once", "--name", "alice"])
                #expect(deaf.child.exitCode == 69, "\(deaf.transcript)")
                #expect(deaf.error.text.contains("not reachable"))
            }
        }

        @Test func aRightThatIsMissingIsSaid() async throws {
            try await onStage { stage in
                let rights = "\(stage.folder)/rights"
                try "topic read lattice/#\n".write(toFile: rights, atomically: true, encoding: .utf8)
                let broker = try await Mosquitto(on: stage, "allow_anonymous true\nacl_file \(rights)")
                let alice = try await site("alice", on: stage)
                let once = try bridge(alice, "alice", to: broker, on: stage, ["--once"])
                #expect(try await once.exitCode() == 75, "\(once.transcript)")
                #expect(once.error.text.contains("a right to read or write"), "\(once.transcript)")
            }
        }

        @Test func overTLSBothShowWhoTheyAre() async throws {
            try await onStage { stage in
                let script = """
                    cd \(stage.folder) && umask 077
                    openssl req -x509 -newkey ed25519 -nodes -days 30 -subj "/CN=bridge CA" -keyout ca.key -out ca.pem
                    printf 'subjectAltName=IP:127.0.0.1\n' >san
                    for name in broker site; do
                        openssl req -new -newkey ed25519 -nodes -subj "/CN=$name" -keyout $name.key -out $name.csr
                        openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile san -out $name.pem
                    done
                    echo right >password
                    echo wrong >other
                    echo camp:right >users
                    mosquitto_passwd -U users
                    """
                let made = try stage.run(["-ec", script], as: "openssl", under: ["sh"], isProgram: false)
                try #require(try await made.exitCode() == 0, "\(made.transcript)")
                let folder = stage.folder
                let broker = try await Mosquitto(
                    on: stage, scheme: "mqtts",
                    """
                    allow_anonymous false
                    password_file \(folder)/users
                    cafile \(folder)/ca.pem
                    certfile \(folder)/broker.pem
                    keyfile \(folder)/broker.key
                    require_certificate true
                    """)
                let alice = try await site("alice", on: stage)
                let trust = ["--ca", "\(folder)/ca.pem"]
                let certificate = ["--cert", "\(folder)/site.pem", "--key", "\(folder)/site.key"]
                let login = ["--user", "camp", "--password-file", "\(folder)/password"]
                let wrong = ["--user", "camp", "--password-file", "\(folder)/other"]
                for (arguments, code) in [
                    (trust + certificate + login, Int32(0)), (certificate + login, 77),
                    (trust + certificate + wrong, 77),
                    (trust + certificate, 77),
                ] {
                    let once = try bridge(alice, "alice", to: broker, on: stage, arguments + ["--once"])
                    #expect(try await once.exitCode() == code, "\(arguments): \(once.transcript)")
                }
                let bare = try bridge(alice, "alice", to: broker, on: stage, trust + login + ["--once"])
                #expect(try await bare.exitCode() != 0, "\(bare.transcript)")
            }
        }
    }
}
