import Foundation
import FoundationNetworking
import Glibc
import Testing

extension EndToEnd {
    /// `lattice share`: one hands the program over, and another takes it.
    @Suite(.timeLimit(.minutes(10))) struct ShareTests {
        private static let hasCurl = access("/usr/bin/curl", X_OK) == 0

        private static func address(of share: Peer) async throws -> String {
            try await eventually("share says where") { () throws -> String? in
                if share.child.exitCode != nil { throw NeverHappened(what: "share ended: \(share.error.text)") }
                return share.output.lines.first
            }
        }

        @Test(.enabled(if: Lab.isPossible && hasCurl)) func fromTheLinkToTheFirstLine() async throws {
            try await inLab("pair") { stage, _ in
                let home = "\(stage.folder)/anna"
                let anna = try stage.start(
                    "anna", on: "a", ["--mesh", "camp", "--discovery", "off"], home: home)
                _ = try await anna.ready()
                let share = try stage.run(["share", "--name", "anna"], as: "share", on: "a", home: home)
                let address = try await Self.address(of: share)
                #expect(address == "http://10.77.1.1:8090/")
                let fetch = try stage.run(
                    ["-c", "curl -fsSL \(address) | sh"], as: "fetch", on: "b", home: "\(stage.folder)/bob",
                    under: ["sh"], isProgram: false)
                #expect(try await fetch.exitCode() == 0, "\(fetch.transcript)")
                let next = try #require(fetch.output.lines.last?.split(separator: "'"))
                let installed = "\(stage.folder)/bob/.local/bin/lattice"
                #expect(next.first == "Next: \(installed) join ")
                let bob = try stage.run(
                    ["join", String(next[1]), "--name", "bob", "--json", "--discovery", "off"], as: "bob", on: "b",
                    home: "\(stage.folder)/bob", under: [installed], isProgram: false)
                try await bob.connected(to: anna)
                bob.say("I have it")
                _ = try await anna.hears("I have it")
                try await eventually("it is counted") { share.error.text.contains("10.77.1.2 took the program") }
                share.child.send(SIGINT)
                #expect(try await share.exitCode() == 0)
                #expect(share.error.lines.last == "1 machine took the program once")
            }
        }

        @Test func whatIsWrongIsSaidInWords() async throws {
            try await onStage { stage in
                let first = try stage.run(["share", "--listen", "127.0.0.1", "--port", "0"], as: "first")
                let port = try #require(try await Self.address(of: first).split(separator: ":").last?.dropLast())
                let cases: [(arguments: [String], code: Int32, words: String)] = [
                    (["--port", "\(port)"], 1, "127.0.0.1:\(port) is in use by another program"),
                    (["--program", "/nowhere"], 1, "cannot read /nowhere"),
                    (["--program", stage.folder], 1, "is a folder"),
                    (["--program", "/etc/passwd"], 1, "is not a Linux program"),
                    (["--deb", "/etc/passwd"], 1, "is not a Debian package"),
                    (["--source", "/etc/passwd"], 1, "is not a git bundle"),
                    (["--source", stage.folder], 1, "git cannot make a bundle"),
                    (["--port", "65536"], 2, "0 to 65535"),
                    (["--listen", "10.255.255.1"], 1, "this machine has no address"),
                    (["--listen", "127.0.0.1:80"], 2, "without a port"), (["--with-key"], 2, "--with-key needs"),
                    (["--mesh", ""], 2, "at least one character"),
                ]
                for (arguments, code, words) in cases {
                    let listen = arguments.contains("--listen") ? [] : ["--listen", "127.0.0.1"]
                    let share = try stage.run(["share"] + listen + arguments, as: "\(arguments)")
                    #expect(try await share.exitCode() == code, "\(arguments): \(share.transcript)")
                    #expect(share.error.text.contains(words), "\(share.error.text)")
                }
                first.child.send(SIGTERM)
                #expect(try await first.exitCode() == 0)
                #expect(first.error.lines.last == "nobody took anything")
            }
        }

        @Test(.enabled(if: Lab.isPossible)) func withoutANetworkItSaysSo() async throws {
            try await onStage { stage in
                let share = try stage.run(["share"], under: ["unshare", "-n"])
                #expect(try await share.exitCode() == 69)
                #expect(share.error.text.contains("in no network"))
            }
        }

        @Test(.enabled(if: access("/usr/bin/git", X_OK) == 0)) func theSourcesOfACheckoutAreSharedAndTheEventsAreJSON()
            async throws
        {
            try await onStage { stage in
                let commit = "-c user.name=a -c user.email=a@b commit -q --allow-empty -m x"
                let made = try stage.run(
                    ["-c", "git init -q '\(stage.folder)/code' && git -C '\(stage.folder)/code' \(commit)"], as: "git",
                    under: ["sh"], isProgram: false)
                try #require(try await made.exitCode() == 0, "\(made.transcript)")
                let share = try stage.run(
                    ["share", "--listen", "127.0.0.1", "--port", "0", "--json", "--source", "\(stage.folder)/code"])
                let line = try await Self.address(of: share)
                let begin = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(begin["event"] as? String == "sharing")
                let address = try #require((begin["urls"] as? [String])?.first)
                let (bytes, _) = try await URLSession.shared.data(
                    from: try #require(URL(string: "\(address)source.bundle")))
                #expect((begin["source"] as? [String: Any])?["bytes"] as? Int == bytes.count)
                try bytes.write(to: URL(filePath: "\(stage.folder)/source.bundle"))
                let clone = try stage.run(
                    ["-c", "cd '\(stage.folder)' && git clone -q source.bundle copy && git -C copy log --format=%s"],
                    as: "clone", under: ["sh"], isProgram: false)
                #expect(try await clone.exitCode() == 0 && clone.output.lines == ["x"], "\(clone.transcript)")
                try await eventually("it is counted") { share.output.lines.count == 2 }
                share.child.send(SIGINT)
                #expect(try await share.exitCode() == 0)
                #expect(share.output.lines[1].contains(#""event":"taken","file":"source","address":"127.0.0.1""#))
                #expect(
                    share.output.lines[2].contains(
                        #""event":"shared","program":0,"debian":0,"source":1,"machines":1"#))
            }
        }
    }
}
