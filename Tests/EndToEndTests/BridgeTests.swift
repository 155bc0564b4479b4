import Foundation
import Glibc
import TestPictures
import Testing

extension EndToEnd {
    /// `lattice-bridge` between nodes that do not see each other, with a real nats-server.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Lab.has("nats-server"), "this needs nats-server"))
    struct BridgeTests {
        private static let program = Program.path + "-bridge"

        private func node(
            _ name: String, on stage: Stage, _ arguments: [String] = [], peer: String? = nil
        ) async throws -> (shell: PersonShell, peer: Peer) {
            let (asking, shell) = (PersonShell(stage, name), PersonShell(stage, name, more: arguments))
            let node = try stage.run(
                ["run", "--name", name, "--discovery", "off", "--room", "#park"] + arguments
                    + (peer.map { ["--peer", $0] } ?? []), as: name, home: shell.home)
            try await eventually("\(name) can be asked") {
                if let code = node.child.exitCode { throw NeverHappened(what: "\(name) ended with \(code)") }
                return try await asking.all("stats", exitCode: nil).first?["event"] as? String == "node_stats"
            }
            _ = try await shell.one("bridge", "allow", "#park")
            return (shell, node)
        }

        private func bridge(
            _ shell: PersonShell, _ name: String, to broker: Broker, scheme: String = "nats", on stage: Stage,
            _ arguments: [String] = []
        ) throws -> Peer {
            try stage.run(
                ["nats", "--url", broker.url.replacing("nats:", with: "\(scheme):"), "--name", name] + arguments,
                as: "bridge of \(name)", home: shell.home,
                under: [Self.program], isProgram: false)
        }

        /// - Returns: the records at the broker before anything was said: what the two let cross, and their keys.
        private func begun(
            _ alice: PersonShell, _ bob: PersonShell, _ broker: Broker, on stage: Stage, _ arguments: [String] = []
        ) async throws -> Int {
            for (shell, name) in [(alice, "alice"), (bob, "bob"), (alice, "alice")] {
                let once = try bridge(shell, name, to: broker, on: stage, arguments + ["--once"])
                try #require(try await once.exitCode() == 0, "\(once.transcript)")
            }
            return try await broker.count()
        }

        private func park(_ shell: PersonShell) async throws -> [String] {
            try await shell.all("history", "park").compactMap { $0["text"] as? String }
        }

        @Test func whatIsSaidAtOneSiteIsReadAtTheOtherOnceAndAfterAnOutage() async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage)
                let (alice, bob) = (try await node("alice", on: stage).shell, try await node("bob", on: stage).shell)
                let begun = try await begun(alice, bob, broker, on: stage)
                _ = try await alice.one("say", "park", "before", "--wait", "0")
                let watch = try stage.run(["watch", "--name", "bob", "--json"], as: "watch", home: bob.home)
                let first = try bridge(alice, "alice", to: broker, on: stage)
                let second = try bridge(bob, "bob", to: broker, on: stage)
                try await eventually("bob has the first line") { try await park(bob) == ["before"] }
                _ = try await alice.one("say", "park", "there", "--wait", "0")
                try await watch.hears("there")
                _ = try await bob.one("say", "park", "back", "--wait", "0")
                try await eventually("alice has all") { try await park(alice) == ["before", "there", "back"] }
                // Both go on talking.
                try await broker.isGone {
                    _ = try await alice.one("say", "park", "meanwhile", "--wait", "0")
                    _ = try await bob.one("say", "park", "here too", "--wait", "0")
                    try await eventually("both wait") {
                        [first, second].allSatisfy { $0.error.text.contains("waiting for the broker") }
                    }
                }
                try await eventually("both have all") {
                    let (there, here) = (try await park(alice), try await park(bob))
                    return there.count == 5 && there.sorted() == here.sorted()
                }
                #expect(watch.output.text.components(separatedBy: "\"there\"").count == 2, "it is shown once")
                for bridge in [first, second] {
                    bridge.child.send(SIGTERM)
                    #expect(try await bridge.exitCode() == 0)
                }
                let once = try bridge(alice, "alice", to: broker, on: stage, ["--once"])
                #expect(try await once.exitCode() == 0)
                #expect(try await broker.count() == begun + 5)
            }
        }

        @Test func howABridgeIsDoingCanBeAsked() async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage)
                let alice = try await node("alice", on: stage).shell
                func status() async throws -> [String: Any] {
                    try #require(try await alice.all("bridge", "status").first)
                }
                #expect(try await status()["event"] as? String == "bridges", "there is none")
                let bridge = try bridge(alice, "alice", to: broker, on: stage)
                try await eventually("both sides have everything") { try await status()["complete"] as? Bool == true }
                // What goes out and comes back tells how the clocks stand, too.
                _ = try await alice.one("say", "park", "hello", "--wait", "0")
                try await eventually("it is out, and back") {
                    let status = try await status()
                    return status["clock_ahead_s"] as? Double == 0 && status["complete"] as? Bool == true
                }
                let well = try await status()
                #expect(well["connected"] as? Bool == true && well["broker"] as? String == broker.url)
                #expect(well["behind_in"] as? Int == 0 && well["behind_out"] as? Int == 0)
                #expect(try #require(well["added_out"] as? Int) >= 1)
                try await broker.isGone {
                    _ = try await alice.one("say", "park", "meanwhile", "--wait", "0")
                    try await eventually("it is not reachable") {
                        let lost = try await status()
                        return lost["connected"] as? Bool == false && lost["lost_at"] is String
                            && lost["behind_out"] as? Int == 1
                    }
                }
                try await eventually("it is complete again") {
                    let status = try await status()
                    return status["complete"] as? Bool == true && status["lost_at"] is NSNull
                }
                bridge.child.send(SIGKILL)
                try await eventually("it is forgotten") { try await status()["event"] as? String == "bridges" }
            }
        }

        @Test func aBridgeThatIsKilledLosesNothingAndSendsNothingTwice() async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage)
                let (alice, bob) = (try await node("alice", on: stage).shell, try await node("bob", on: stage).shell)
                let begun = try await begun(alice, bob, broker, on: stage)
                let kept = try bridge(bob, "bob", to: broker, on: stage)
                for round in 0..<20 {
                    let bridge = try bridge(alice, "alice", to: broker, on: stage)
                    _ = try await alice.one("say", "park", "there \(round)", "--wait", "0")
                    _ = try await bob.one("say", "park", "back \(round)", "--wait", "0")
                    // Some are killed before they are connected, some in the middle, some when all is done.
                    if round % 2 == 0 {
                        try await eventually("it is connected") {
                            bridge.error.text.contains("connected to the broker")
                        }
                    }
                    if round % 4 == 0 {
                        try await eventually("hers is there") { try await broker.count() >= begun + 2 * round + 1 }
                    }
                    bridge.child.send(SIGKILL)
                    _ = try await bridge.exitCode()
                }
                _ = try bridge(alice, "alice", to: broker, on: stage)
                try await eventually("both have all") { try await [park(alice).count, park(bob).count] == [40, 40] }
                let once = try bridge(bob, "bob", to: broker, on: stage, ["--once", "--state", "\(stage.folder)/new"])
                #expect(try await once.exitCode() == 0)
                #expect(try await broker.count() == begun + 40)
                #expect(kept.child.exitCode == nil)
            }
        }

        @Test func oneOfThreeServersIsKilledAndNothingIsLostOrTwice() async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage, count: 3)
                let (alice, bob) = (try await node("alice", on: stage).shell, try await node("bob", on: stage).shell)
                let begun = try await begun(alice, bob, broker, on: stage, ["--replicas", "3"])
                let bridges = [
                    try bridge(alice, "alice", to: broker, on: stage, ["--replicas", "3"]),
                    try bridge(bob, "bob", to: broker, on: stage, ["--replicas", "3"]),
                ]
                _ = try await alice.one("say", "park", "before", "--wait", "0")
                try await eventually("bob has the first line") { try await park(bob) == ["before"] }
                for (round, victim) in [2, 1].enumerated() {
                    broker.servers[victim].child.send(round == 0 ? SIGKILL : SIGSTOP)
                    for number in 0..<10 {
                        _ = try await alice.one("say", "park", "there \(round) \(number)", "--wait", "0")
                        _ = try await bob.one("say", "park", "back \(round) \(number)", "--wait", "0")
                    }
                    if round == 1 { broker.servers[victim].child.send(SIGCONT) }
                    let wanted = 1 + 20 * (round + 1)
                    try await eventually("both have \(wanted)") {
                        try await [park(alice).count, park(bob).count] == [wanted, wanted]
                    }
                }
                try await eventually("each is there once") { try await broker.count() == begun + 41 }
                for bridge in bridges { #expect(bridge.child.exitCode == nil) }
            }
        }

        @Test func aClosedMeshCrossesSealed() async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage)
                let key = "\(stage.folder)/passphrase"
                try "a long passphrase of the camp\n".write(toFile: key, atomically: true, encoding: .utf8)
                #expect(chmod(key, 0o600) == 0)
                let closed = ["--passphrase-file", key]
                let alice = try await node("alice", on: stage, closed).shell
                let bob = try await node("bob", on: stage, closed).shell
                _ = try await alice.one("say", "park", "a secret of the camp", "--wait", "0")
                _ = try bridge(alice, "alice", to: broker, on: stage)
                _ = try bridge(bob, "bob", to: broker, on: stage)
                try await eventually("bob has it") { try await park(bob) == ["a secret of the camp"] }
                let found = try FileManager.default.subpathsOfDirectory(atPath: "\(stage.folder)/broker").filter {
                    path in
                    let content = FileManager.default.contents(atPath: "\(stage.folder)/broker/\(path)") ?? Data()
                    return content.range(of: Data("secret of the camp".utf8)) != nil
                }
                #expect(found == [])
            }
        }

        @Test(arguments: [false, true]) func aPhotoAndAFileCrossWithWhatNamesThem(isClosed: Bool) async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage)
                let secret = "\(stage.folder)/passphrase"
                try "five words that nobody guesses\n".write(toFile: secret, atomically: true, encoding: .utf8)
                #expect(chmod(secret, 0o600) == 0)
                let closed = isClosed ? ["--passphrase-file", secret] : []
                let (alice, bob) = (
                    try await node("alice", on: stage, closed).shell, try await node("bob", on: stage, closed).shell
                )
                let picture = "\(stage.folder)/picture.png"
                try Data(PictureFile.png(1)).write(to: URL(filePath: picture))
                let file = try stage.randomFile("map.pdf", bytes: 3_000_000)
                let large = try stage.randomFile("film.mp4", bytes: 5_000_000)
                _ = try await alice.one("post", "the bridge is out", "--at", "52.5,13.4", "--photo", picture)
                _ = try await alice.all("file", "share", file, "--room", "park")
                _ = try await alice.all("file", "share", large, "--room", "park")
                for (shell, name) in [(alice, "alice"), (bob, "bob")] {
                    let once = try bridge(shell, name, to: broker, on: stage, ["--once", "--max-file", "4M"])
                    try #require(try await once.exitCode() == 0, "\(once.transcript)")
                }
                let id = try #require(try await bob.all("near", "52.5,13.4").first?["id"] as? String)
                func drawing(_ name: String) async throws -> String {
                    let view = try stage.run(
                        ["view", id, "--ascii", "--name", name] + closed, as: "view", home: "\(stage.folder)/\(name)")
                    #expect(try await view.exitCode() == 0, "\(view.transcript)")
                    return view.output.text
                }
                let (seen, own) = (try await drawing("bob"), try await drawing("alice"))
                #expect(seen == own && seen.components(separatedBy: "\n").count > 10, "\(seen)")
                let folder = "\(stage.folder)/fetched"
                _ = try await bob.all("file", "get", "map.pdf", "--output", folder)
                #expect(FileManager.default.contentsEqual(atPath: file, andPath: "\(folder)/map.pdf"))
                let files = try await bob.all("file", "list")
                let film = files.first { $0["name"] as? String == "film.mp4" }
                #expect(film?["state"] as? String != "here", "\(files)")
            }
        }

        @Test func wrongUseIsALineThatSaysWhatToDo() async throws {
            try await onStage { stage in
                let shell = PersonShell(stage, "alice")
                func run(_ arguments: String...) async throws -> (code: Int32, said: String) {
                    let bridge = try stage.run(
                        ["nats"] + arguments, as: "bridge", home: shell.home, under: [Self.program], isProgram: false)
                    return (try await bridge.exitCode(), bridge.error.text)
                }
                let open = "\(stage.folder)/open"
                try "x".write(toFile: open, atomically: true, encoding: .utf8)
                #expect(chmod(open, 0o644) == 0)
                for (arguments, words) in [
                    (["--url", "nats://me:secret@127.0.0.1"], "password in --url"),
                    (["--url", "ftp://x"], "no address"),
                    (["--url", "nats://127.0.0.1", "--nkey", open], "chmod 600"),
                    (["--url", "nats://127.0.0.1", "--nkey", open, "--creds", open], "one of"),
                    (["--url", "nats://127.0.0.1", "--user", "me"], "belong together"),
                    (["--url", "nats://10.0.0.1", "--user", "me", "--password-file", open], "use tls://"),
                    (["--url", "nats://127.0.0.1,tls://127.0.0.1"], "with and without TLS"),
                    (["--url", "nats://127.0.0.1", "--ca", "\(open)2"], "No such file"),
                    (["--url", "nats://127.0.0.1", "--replicas", "2"], "1 or 3"),
                    (["--url", "nats://127.0.0.1", "--max-bytes", "much"], "such as 10G"), ([], "--url"),
                ] {
                    let bridge = try stage.run(
                        ["nats"] + arguments, as: "bridge", home: shell.home, under: [Self.program], isProgram: false)
                    #expect(try await bridge.exitCode() == 2)
                    #expect(bridge.error.text.contains(words), "\(bridge.error.text)")
                    #expect(bridge.error.lines.count == 1)
                }
                let lonely = try await run("--url", "nats://127.0.0.1:9", "--once", "--name", "alice")
                #expect(lonely.code == 75)
                #expect(lonely.said.contains("start one with 'lattice run'"))
                _ = try await node("alice", on: stage)
                let deaf = try await run("--url", "nats://127.0.0.1:9", "--once", "--name", "alice")
                #expect(deaf.code == 69)
                #expect(deaf.said.contains("not reachable"))
            }
        }

        @Test func overTLSOnlyServersThatAreTrustedAreTalkedTo() async throws {
            try await onStage { stage in
                let script = """
                    cd \(stage.folder) && umask 077
                    openssl req -x509 -newkey ed25519 -nodes -days 30 -subj "/CN=bridge CA" -keyout ca.key -out ca.pem
                    openssl req -new -newkey ed25519 -nodes -subj "/CN=broker" -keyout server.key -out server.csr
                    printf 'subjectAltName=IP:127.0.0.1\n' >san
                    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile san -out server.pem
                    echo right >password
                    """
                let made = try stage.run(["-ec", script], as: "openssl", under: ["sh"], isProgram: false)
                try #require(try await made.exitCode() == 0, "\(made.transcript)")
                let broker = try await Broker(
                    on: stage,
                    """
                    tls { cert_file: "\(stage.folder)/server.pem", key_file: "\(stage.folder)/server.key" }
                    authorization { user: camp, password: right }
                    """)
                let alice = try await node("alice", on: stage).shell
                let login = ["--user", "camp", "--password-file", "\(stage.folder)/password", "--once"]
                let trust = ["--ca", "\(stage.folder)/ca.pem"]
                let trusted = try bridge(alice, "alice", to: broker, scheme: "tls", on: stage, login + trust)
                #expect(try await trusted.exitCode() == 0, "\(trusted.transcript)")
                let strange = try bridge(alice, "alice", to: broker, scheme: "tls", on: stage, login)
                #expect(try await strange.exitCode() == 77, "\(strange.transcript)")
            }
        }

        @Test func streamsThatAreMissingAreNotMadeWhereThatIsForbidden() async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage)
                let alice = try await node("alice", on: stage).shell
                let never = try bridge(alice, "alice", to: broker, on: stage, ["--create", "never"])
                #expect(try await never.exitCode() == 78)
                #expect(never.error.text.contains("there is no stream L1_"))
                let threefold = try bridge(alice, "alice", to: broker, on: stage, ["--replicas", "3"])
                #expect(try await threefold.exitCode() == 78)
                #expect(threefold.error.text.contains("--replicas must be 1"))
            }
        }

        @Test func aStreamThatStaysFullEndsABridgeThatRunsOnce() async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage)
                let alice = try await node("alice", on: stage).shell
                _ = try await alice.one("say", "park", "hello", "--wait", "0")
                let running = try bridge(alice, "alice", to: broker, on: stage, ["--once", "--max-bytes", "1K"])
                #expect(try await running.exitCode() == 75)
                #expect(running.error.text.contains("the broker's stream is full"))
            }
        }

        @Test func aBrokerThatRefusesIsTold() async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage, "authorization { user: camp, password: right }")
                let alice = try await node("alice", on: stage).shell
                let file = "\(stage.folder)/password"
                for (password, code) in [("wrong", Int32(77)), ("right", 0)] {
                    try "\(password)\n".write(toFile: file, atomically: true, encoding: .utf8)
                    #expect(chmod(file, 0o600) == 0)
                    let login = ["--user", "camp", "--password-file", file, "--once"]
                    #expect(try await bridge(alice, "alice", to: broker, on: stage, login).exitCode() == code)
                }
                let unknown = try bridge(alice, "alice", to: broker, on: stage, ["--once"])
                #expect(try await unknown.exitCode() == 77)
            }
        }

        @Test func aKeyOrCredentialsLetABridgeIn() async throws {
            try await onStage { stage in
                let alice = try await node("alice", on: stage).shell
                func key(_ file: String) async throws -> (code: Int32, said: String) {
                    let made = try stage.run(
                        ["key", file], as: "key", home: alice.home, under: [Self.program], isProgram: false)
                    let code = try await made.exitCode()
                    return (code, made.output.text.trimmingCharacters(in: .whitespacesAndNewlines))
                }
                let (own, other) = ("\(stage.folder)/own", "\(stage.folder)/other")
                let (made, stranger) = (try await key(own), try await key(other))
                #expect(made.code == 0 && made.said.wholeMatch(of: /U[A-Z2-7]{55}/) != nil)
                #expect(made.said != stranger.said)
                #expect(try await key(own).code == 1, "a key is never overwritten")
                let open = try await Broker(on: stage, "authorization { users: [ { nkey: \(made.said) } ] }")
                for (file, code) in [(own, Int32(0)), (other, 77)] {
                    let once = try bridge(alice, "alice", to: open, on: stage, ["--nkey", file, "--once"])
                    #expect(try await once.exitCode() == code, "\(once.transcript)")
                }
                let broker = try await Broker(on: stage, NatsAccounts.configuration, folder: "accounts")
                let file = "\(stage.folder)/creds"
                try NatsAccounts.credentials.write(toFile: file, atomically: true, encoding: .utf8)
                #expect(chmod(file, 0o600) == 0)
                for (login, code) in [(["--creds", file], Int32(0)), (["--nkey", own], 77), ([], 77)] {
                    let once = try bridge(alice, "alice", to: broker, on: stage, login + ["--once"])
                    #expect(try await once.exitCode() == code, "\(once.transcript)")
                }
            }
        }

        /// Four sites on one broker; one has two bridges, and a link joins it with another.
        @Test func eachRecordIsAtTheBrokerOnceWhateverElseJoinsTheSites() async throws {
            try await onStage { stage in
                let broker = try await Broker(on: stage)
                let first = try await node("alice", on: stage).peer
                let second = try await node("anna", on: stage, peer: try first.listening()).peer
                _ = try await node("bob", on: stage, peer: try second.listening())
                for name in ["carol", "dave"] { _ = try await node(name, on: stage) }
                let sites = ["alice", "anna", "bob", "carol", "dave"].map { ($0, PersonShell(stage, $0)) }
                for (name, shell) in sites { _ = try bridge(shell, name, to: broker, on: stage) }
                for round in 0..<6 {
                    for (name, shell) in sites {
                        _ = try await shell.one("say", "park", "\(name) \(round)", "--wait", "0")
                    }
                }
                for (name, shell) in sites {
                    try await eventually("\(name) has all") { try await park(shell).count == 30 }
                    #expect(try await Set(park(shell)).count == 30)
                }
                // Everything that is at the broker is new for a site that has nothing.
                let count = try await broker.count()
                let erin = try await node("erin", on: stage).shell
                let once = try bridge(erin, "erin", to: broker, on: stage, ["--once"])
                #expect(try await once.exitCode() == 0)
                #expect(once.error.text.contains("both sides have everything: \(count) in"), "\(once.transcript)")
            }
        }
    }
}
