import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Files that are shared in a room, and fetched by others.
    @Suite(.timeLimit(.minutes(10))) struct FileTests {
        private static let name = "map.pdf"

        private func file(_ bytes: Int, on stage: Stage) throws -> String {
            try stage.randomFile(Self.name, bytes: bytes)
        }

        private func isListed(_ name: String, on stage: Stage, host: String? = nil) async throws {
            try await eventually("\(name) hears of the file") {
                let list = try await stage.ask(name, host: host, "file", "list")
                return list.output.text.contains(Self.name)
            }
        }

        private func hasBegun(_ name: String, on stage: Stage, host: String? = nil) async throws {
            try await eventually("some of it has come to \(name)") {
                let list = try await stage.ask(name, host: host, "file", "list").output.text
                return list.contains(" % …") || list.contains(" yes ")
            }
        }

        @Test(arguments: [0, 5_000, 3_000_000]) func aFileIsSharedFetchedAndNeverOverwritesAnother(bytes: Int)
            async throws
        {
            try await onStage { stage in
                let path = try file(bytes, on: stage)
                let alice = try await stage.node("alice", ["--discovery", "off"])
                let address = try alice.listening()
                _ = try await stage.node("bob", ["--discovery", "off", "--peer", address])
                let shared = try await stage.ask("alice", "file", "share", path)
                #expect(shared.output.text.hasPrefix("shared \(Self.name) ("))
                try await isListed("bob", on: stage)
                let folder = "\(stage.folder)/fetched"
                for name in ["map.pdf", "map (2).pdf"] {
                    let got = try await stage.ask("bob", "file", "get", Self.name, "--output", folder)
                    #expect(got.output.text == "\(Self.name) is saved as \(folder)/\(name)\n")
                    #expect(FileManager.default.contentsEqual(atPath: path, andPath: "\(folder)/\(name)"))
                }
                let said = try await stage.ask("bob", "history")
                #expect(said.output.text.contains("alice shares the file \(Self.name) ("))
                let unknown = try await stage.ask("bob", "file", "get", "nothing.txt", code: 1)
                #expect(unknown.error.text.contains("there is nothing with the id nothing.txt"))
                let absent = try await stage.ask("bob", "file", "share", "\(stage.folder)/absent", code: 1)
                #expect(absent.error.text.contains("cannot read \(stage.folder)/absent: No such file or directory"))
                let device = try await stage.ask("bob", "file", "share", "/dev/null", code: 1)
                #expect(device.error.text.contains("give the path of a regular file"))
            }
        }

        @Test func aFolderIsSharedAndUnpacked() async throws {
            try await onStage { stage in
                let source = "\(stage.folder)/maps"
                let files = ["a.txt": 40_000, "north/b.txt": 3, "north/far/.hidden": 0, "z.bin": 200_000]
                for (name, bytes) in files {
                    let url = URL(filePath: "\(source)/\(name)")
                    try FileManager.default.createDirectory(
                        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(repeating: 7, count: bytes).write(to: url)
                }
                let alice = try await stage.node("alice", ["--discovery", "off"])
                let address = try alice.listening()
                _ = try await stage.node("bob", ["--discovery", "off", "--peer", address])
                _ = try await stage.ask("alice", "file", "share", source)
                try await eventually("bob hears of the folder") {
                    let list = try await stage.ask("bob", "file", "list")
                    return list.output.text.contains(" maps")
                }
                let folder = "\(stage.folder)/fetched"
                for name in ["maps", "maps (2)"] {
                    let got = try await stage.ask("bob", "file", "get", "maps", "--output", folder)
                    #expect(got.output.text == "maps is saved as \(folder)/\(name)\n")
                    for file in files.keys {
                        #expect(
                            FileManager.default.contentsEqual(
                                atPath: "\(source)/\(file)", andPath: "\(folder)/\(name)/\(file)"))
                    }
                }
                let said = try await stage.ask("bob", "history")
                #expect(said.output.text.contains("alice shares the folder maps with 4 files ("))
                let empty = "\(stage.folder)/empty"
                try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
                let refused = try await stage.ask("alice", "file", "share", empty, code: 1)
                #expect(refused.error.text.contains("the folder has no files"))
            }
        }

        @Test func aProcessThatIsKilledWhileItUnpacksLeavesNothingForEver() async throws {
            try await onStage { stage in
                let (manager, source) = (FileManager.default, "\(stage.folder)/maps")
                try manager.createDirectory(atPath: source, withIntermediateDirectories: true)
                for number in 0..<20_000 { #expect(manager.createFile(atPath: "\(source)/\(number)", contents: nil)) }
                let alice = try await stage.node("alice", ["--discovery", "off"])
                let quiet = ["--discovery", "off", "--peer", try alice.listening()]
                let bob = try await stage.node("bob", quiet)
                _ = try await stage.ask("alice", "file", "share", source)
                func isListed() async throws -> Bool {
                    try await stage.ask("bob", "file", "list").output.text.contains(" maps")
                }
                try await eventually("bob hears of the folder") { try await isListed() }
                let folder = "\(stage.folder)/fetched"
                try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
                func names() throws -> [String] { try manager.contentsOfDirectory(atPath: folder).sorted() }
                let get = ["file", "get", "maps", "--output", folder, "--name", "bob"]
                let asking = try stage.run(get, as: "bob", home: "\(stage.folder)/bob")
                try await eventually("it unpacks") { try !names().isEmpty }
                bob.child.send(SIGKILL)
                _ = try await bob.exitCode()
                _ = try await asking.exitCode()
                let left = try names()
                #expect(left.count == 1 && left.allSatisfy { $0.hasPrefix(".lattice-") }, "\(left)")

                _ = try await stage.node("bob", quiet)
                try await eventually("it is there again, and nothing else") { try names() == ["maps"] }
                #expect(try manager.contentsOfDirectory(atPath: "\(folder)/maps").count == 20_000)
            }
        }

        /// Over the control socket, from a browser's program into the node, and by its line into another chat.
        @Test func aFileThatABrowserSendsIsFetchedByItsLine() async throws {
            try await onStage { stage in
                let path = try file(700_000, on: stage)
                let alice = try await stage.node("alice", ["--discovery", "off"])
                let address = try alice.listening()
                let page = try await Page(
                    "web",
                    try stage.run(
                        ["web", "--name", "alice", "--listen", "127.0.0.1:0", "--no-open"], as: "web",
                        home: "\(stage.folder)/alice"))
                let bob = try stage.run(
                    ["chat", "--name", "bob", "--discovery", "off", "--peer", address, "--json"], as: "bob",
                    home: "\(stage.folder)/bob")
                _ = try await bob.event("ready") { $0.event == "ready" }
                let sent = try await page.ask(
                    "POST", "/v1/files?name=..%2Fmy%20map.pdf&room=lobby",
                    headers: ["Content-Type": "application/octet-stream"],
                    file: try Data(contentsOf: URL(filePath: path)))
                #expect(sent.status == 201)
                _ = try await bob.hears("shares the file my map.pdf (700.0 kB)")
                let folder = "\(stage.folder)/fetched"
                bob.say("/get --output \(folder)")
                let saved = "\(folder)/my map.pdf"
                try await eventually("it is saved") { FileManager.default.fileExists(atPath: saved) }
                #expect(FileManager.default.contentsEqual(atPath: path, andPath: saved))
            }
        }

        /// Three hosts in a line. The host in the middle relays pieces, is killed, and is started again.
        @Test(.enabled(if: Lab.isPossible, "a lab of hosts needs root and iproute2"))
        func aFileComesOverAHostThatIsKilledMeanwhile() async throws {
            try await inLab("line") { stage, lab in
                let path = try file(60_000_000, on: stage)
                _ = try await stage.node("alice", host: "a", MeshTests.embedded)
                let bob = try await stage.node("bob", host: "b", MeshTests.embedded)
                _ = try await stage.node("carol", host: "c", MeshTests.embedded)
                _ = try await stage.ask("alice", host: "a", "file", "share", path)
                try await isListed("carol", on: stage, host: "c")
                let folder = "\(stage.folder)/fetched"
                let get = try stage.run(
                    ["file", "get", Self.name, "--output", folder, "--name", "carol"], as: "carol", on: "c",
                    home: "\(stage.folder)/carol")
                try await hasBegun("carol", on: stage, host: "c")
                bob.child.send(SIGKILL)
                _ = try await bob.exitCode()
                _ = try await stage.node("bob", host: "b", MeshTests.embedded)
                #expect(try await get.exitCode() == 0)
                #expect(FileManager.default.contentsEqual(atPath: path, andPath: "\(folder)/\(Self.name)"))
            }
        }
    }
}
