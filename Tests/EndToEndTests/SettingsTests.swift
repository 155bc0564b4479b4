import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// The file of settings, as every command takes it.
    @Suite(.timeLimit(.minutes(10))) struct SettingsTests {
        /// Writes the file where a person has it.
        private func write(_ text: String, home: String) throws -> String {
            let folder = "\(home)/.config/lattice"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/config.json"))
            return "\(folder)/config.json"
        }

        /// Runs a command to its end.
        private func end(
            _ stage: Stage, _ home: String, _ arguments: String..., variables: [String: String] = [:]
        ) async throws -> (code: Int32, output: [String], error: String) {
            let wrapper = variables.isEmpty ? [] : ["/usr/bin/env"] + variables.map { "\($0)=\($1)" }
            let command = try stage.run(arguments, as: "\(arguments)", home: home, under: wrapper)
            command.endInput()
            return (try await command.exitCode(), command.output.lines, command.error.text)
        }

        /// Else a slip makes somebody, and nobody knows them.
        @Test func whoeverIsCalledAsSomebodyHereIsToldOfThem() async throws {
            try await onStage { stage in
                func errors(_ name: String) async throws -> String {
                    let chat = try stage.start(name, ["--discovery", "off"], json: false, home: "\(stage.folder)/home")
                    chat.endInput()
                    #expect(try await chat.exitCode() == 0)
                    return chat.error.text
                }
                let (first, second) = (try await errors("anna"), try await errors("Anna"))
                #expect(!first.contains("somebody else"))
                #expect(second.contains("Anna is new on this machine and is not anna"))
                let again = try await errors("Anna")
                #expect(!again.contains("somebody else"))
            }
        }

        @Test func eachSettingIsShownWithWhoseWordItIs() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let path = try write("// mine\n{ \"mesh\": \"camp\", \"port\": 4000, \"ttl\": 5 }", home: home)
                let shown = try await end(
                    stage, home, "config", "show", "--ttl", "6", "--json", variables: ["LATTICE_PORT": "4001"])
                #expect(shown.code == 0, "\(shown.error)")
                let settings = try shown.output.map { line in
                    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                }
                func origin(_ key: String) -> String? {
                    settings.first { $0["key"] as? String == key }?["origin"] as? String
                }
                #expect(origin("mesh") == "\(path):2")
                #expect(origin("port") == "environment LATTICE_PORT")
                #expect(origin("ttl") == "option --ttl")
                #expect(origin("discovery") == "default")
                #expect(settings.first { $0["key"] as? String == "port" }?["value"] as? Int == 4_001)
                #expect(try await end(stage, home, "config", "path").output == [path])
            }
        }

        @Test func aBrokenFileEndsEveryCommandThatReadsItAndNoneThatHelps() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let path = try write("{\n  \"msh\": \"camp\"\n}\n", home: home)
                for command in [
                    ["id"], ["near"], ["say", "lobby", "x"], ["run"], ["chat"], ["config", "show"], ["peers"],
                ] {
                    let peer = try stage.run(command, home: home)
                    peer.endInput()
                    #expect(try await peer.exitCode() == 2, "\(command)")
                    #expect(peer.error.text.contains("\(path): line 2: "), "\(command): \(peer.error.text)")
                    #expect(peer.error.text.contains("did you mean mesh?") && peer.error.lines.count == 1)
                }
                for command in [["--help"], ["run", "--help"], ["--version"], ["config", "path"], ["help", "post"]] {
                    #expect(try await stage.run(command, home: home).exitCode() == 0, "\(command)")
                }
                #expect(!FileManager.default.fileExists(atPath: "\(home)/lattice"))
            }
        }

        @Test func aFileThatIsNamedHasToBeThere() async throws {
            try await onStage { stage in
                let missing = try await end(stage, stage.folder, "id", "--config", "\(stage.folder)/none.json")
                #expect(missing.code == 2 && missing.error.contains("none.json"))
                let variable = try await end(
                    stage, stage.folder, "id", variables: ["LATTICE_CONFIG": "\(stage.folder)/none.json"])
                #expect(variable.code == 2 && variable.error.contains("none.json"))
            }
        }

        @Test func whatIsSettledIsWhatCommandsDo() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                _ = try write(
                    "{ \"data-dir\": \"../../me\", \"name\": \"alice\", \"discovery\": \"off\", \"text-max\": 10 }",
                    home: home)
                let id = try await end(stage, home, "id")
                #expect(id.code == 0 && id.output.first?.hasPrefix("alice ") == true)
                #expect(FileManager.default.fileExists(atPath: "\(home)/me/identity"))
                let long = try await end(stage, home, "post", "more than ten", "--at", park, "--wait", "0")
                #expect(long.code == 2 || long.code == 1, "\(long)")
                let longer = try await end(
                    stage, home, "post", "more than ten", "--at", park, "--wait", "0", "--text-max", "20")
                #expect(longer.code == 0, "\(longer)")
                // Somebody else by an option has a folder of their own.
                let bob = try await end(stage, home, "id", "--name", "bob")
                #expect(bob.output.first?.hasPrefix("bob ") == true)
                #expect(FileManager.default.fileExists(atPath: "\(home)/lattice/bob/identity"))
            }
        }

        @Test func aNodeReadsItsSettingsAnewAndKeepsThemWhereTheFileIsBroken() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let text = { (rest: String) in "{ \"name\": \"alice\", \"discovery\": \"off\", \(rest) }" }
                _ = try write(text("\"room\": [\"park\"]"), home: home)
                let node = try stage.run(["run"], as: "alice", home: home)
                try await said("info: running", node)
                _ = try write(text("\"room\": [\"park\", \"gate\"], \"log\": \"debug\", \"ttl\": 3"), home: home)
                node.child.send(SIGHUP)
                try await said("restart=ttl taken=room,log", node)
                try await said("this setting takes effect after a restart now=32 setting=ttl then=3", node)
                _ = try write("{ \"room\": 5 }", home: home)
                node.child.send(SIGHUP)
                try await said("keeping the current ones", node)
                #expect(node.error.text.contains("config.json: line 1: "))
                _ = try write(text(""), home: home)
                let rooms = try await end(stage, home, "say", "gate", "x", "--wait", "0")
                #expect(rooms.code == 0, "\(rooms)")
                node.child.send(SIGTERM)
                #expect(try await node.exitCode() == 0)
            }
        }

        /// What is settled counts for everybody's nodes on this machine, and one of them has the port.
        @Test func aSettledPortThatIsTakenIsNoneForWhoComesForAMoment() async throws {
            try await onStage { stage in
                let (alice, eve) = ("\(stage.folder)/alice", "\(stage.folder)/eve")
                let node = try stage.run(
                    ["run", "--name", "alice", "--discovery", "off"], as: "alice", home: alice)
                try await said(" port=", node)
                let port = try #require(node.error.text.firstMatch(of: /\bport=([0-9]+)/)).1
                let path = try write("{ \"discovery\": \"off\",\n \"port\": \(port) }", home: eve)
                let name = "port in \(path) line 2: port \(port) is in use by another program"
                let pipe = try await end(stage, eve, "chat", "--name", "eve", "--timeout", "0")
                #expect(pipe.code == 0 && pipe.error.contains("\(name); listening on port "), "\(pipe)")
                let say = try await end(
                    stage, eve, "say", "lobby", "x", "--wait", "0", variables: ["LATTICE_PORT": "\(port)"])
                #expect(say.code == 0 && say.error.contains("LATTICE_PORT: port \(port) is in use"), "\(say)")
                // A service takes the port that others know, or none; an option is never ignored.
                for (command, name) in [
                    (["run"], name), (["irc", "--listen", "127.0.0.1:0"], name),
                    (["chat", "--port", "\(port)"], "--port: port \(port) is in use by another program"),
                ] {
                    let peer = try stage.run(command + ["--name", "eve"], home: eve)
                    peer.endInput()
                    #expect(try await peer.exitCode() == 1, "\(command)")
                    #expect(peer.error.text.contains("\(name); choose another one"), "\(peer.error.text)")
                }
                node.child.send(SIGTERM)
                #expect(try await node.exitCode() == 0)
            }
        }

        /// What is shown is checked as 'run' does it, and told in the same words.
        @Test(arguments: [
            ("\"passphrase-file\": \"none.txt\"", "passphrase-file in", "none.txt: No such file", 1),
            ("\"irc.listen\": \"0.0.0.0:6667\"", "irc.listen in", "add irc.tls.certificate, irc.tls.key and", 2),
            ("\"irc\": {\"listen\": \"[::1]:0\", \"tls.key\": \"k\"}", "irc.tls.key in", "irc.tls.certificate go", 2),
            ("\"irc.password-file\": \"p\"", "irc.password-file in", "needs irc.listen, such as", 2),
            ("\"irc\": {\"listen\": \"[::1]:0\", \"password-file\": \"p\"}", "irc.password-file in", "No such", 1),
            ("\"interface\": \"none0\"", "interface in", "no network interface 'none0'", 1),
        ])
        func whatRunRefusesConfigShowNames(setting: String, name: String, words: String, code: Int32) async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let path = try write("{\n\(setting) }", home: home)
                let run = try await end(stage, home, "run", "--discovery", "off")
                #expect(run.code == code && run.error.contains("\(name) \(path) line 2"), "\(run)")
                #expect(run.error.contains(words), "\(run)")
                let told = try #require(run.error.split(separator: "\n").last?.split(separator: " (see ").first)
                let shown = try await end(stage, home, "config", "show")
                #expect(shown.code == 2 && shown.error.contains(told), "\(shown)")
                #expect(shown.output.contains { $0.hasPrefix("mesh ") })
                let json = try await end(stage, home, "config", "show", "--json")
                #expect(json.code == 2 && json.output.last?.contains("\"event\":\"error\"") == true, "\(json)")
            }
        }

        private func said(_ words: String, _ peer: Peer) async throws {
            try await eventually("\(peer.name) logs '\(words)'") {
                if let code = peer.child.exitCode {
                    throw NeverHappened(what: "ended with \(code): \(peer.error.text)")
                }
                return peer.error.text.contains(words)
            }
        }

        @Test func whoIsMistypedLeavesNothingBehind() async throws {
            try await onStage { stage in
                let commands = [
                    (["peers"], 69), (["stats"], 69), (["history"], 1), (["messages"], 1), (["near", park], 1),
                    (["search", "water"], 1), (["watch"], 1),
                ]
                for (command, code) in commands {
                    let peer = try stage.run(command + ["--name", "alcie"], home: stage.folder)
                    #expect(try await peer.exitCode() == Int32(code), "\(command): \(peer.error.text)")
                    #expect(!FileManager.default.fileExists(atPath: "\(stage.folder)/lattice"), "\(command)")
                }
            }
        }

        @Test func aStartThatFailsOnItsOptionsMakesNobody() async throws {
            try await onStage { stage in
                for command in [["chat"], ["run"], ["irc"], ["say", "lobby", "hi"], ["pipe", "bob"]] {
                    for options in [["--interface", "nope"], ["--mesh", "camp", "--passphrase-file", "/nope"]] {
                        let peer = try stage.run(command + options + ["--name", "x"], home: stage.folder)
                        #expect(try await peer.exitCode() == 1, "\(command + options): \(peer.error.text)")
                        #expect(peer.error.text.contains("nope"), "\(command + options)")
                        #expect(
                            !FileManager.default.fileExists(atPath: "\(stage.folder)/lattice"), "\(command + options)")
                    }
                }
            }
        }

        @Test func whoIsMadeBesideOthersIsToldOf() async throws {
            try await onStage { stage in
                let first = try await end(stage, stage.folder, "id", "--name", "alice")
                #expect(first.error.isEmpty, "nobody else is here: \(first)")
                for words in [
                    ["id"], ["post", "hi", "--at", park, "--wait", "0"], ["say", "lobby", "hi", "--wait", "0"],
                ] {
                    let name = "new-\(words[0])"
                    let peer = try stage.run(words + ["--name", name], home: stage.folder)
                    #expect(try await peer.exitCode() == 0)
                    let told = "\(name) is new on this machine; if you mistyped the name: lattice wipe --name \(name)"
                    #expect(peer.error.lines.contains(told), "\(peer.error.text)")
                    #expect(try await !end(stage, stage.folder, "id", "--name", name).error.contains("is new"))
                }
            }
        }

        @Test func whoDoesNotBeginIsNobodyToGoOnAs() async throws {
            try await onStage { stage in
                _ = try await end(stage, stage.folder, "id", "--name", "alice")
                let node = try stage.run(["run", "--name", "alcie", "--interface", "nosuch0"], home: stage.folder)
                #expect(try await node.exitCode() == 1)
                let last = try String(contentsOfFile: "\(stage.folder)/lattice/.last", encoding: .utf8)
                #expect(last == "alice\n")
            }
        }

        @Test func aDiskThatIsFullEndsAWatchWithAReason() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let node = try stage.run(["run", "--name", "alice", "--discovery", "off"], as: "alice", home: home)
                try await said("info: running", node)
                let watch = try stage.run(
                    ["-c", "exec \(Program.path) watch --name alice --json >/dev/full"], as: "watch", home: home,
                    under: ["/bin/sh"], isProgram: false)
                #expect(try await watch.exitCode() == 1)
                #expect(watch.error.text.contains("cannot write to standard output"))
            }
        }

        @Test func aPassphraseFileThatIsNotNeededIsTold() async throws {
            try await onStage { stage in
                let path = "\(stage.folder)/none"
                let id = try await end(
                    stage, stage.folder, "here", "--name", "alice", "--identity-passphrase-file", path)
                #expect(id.error.contains("--identity-passphrase-file was not read"), "\(id)")
            }
        }
    }
}
