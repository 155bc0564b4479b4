import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Files after they were shared or fetched: taken back, removed, saved by a later start, opened.
    @Suite(.timeLimit(.minutes(10))) struct FileKeepingTests {
        private static let quiet = ["--discovery", "off"]
        private static let unknown = "there is nothing with the id"

        private func list(_ name: String, on stage: Stage) async throws -> String {
            try await stage.ask(name, "file", "list").output.text
        }

        private func lists(_ name: String, _ file: String, _ isThere: Bool = true, on stage: Stage) async throws {
            try await eventually("\(name) \(isThere ? "hears" : "forgets") of \(file)") {
                try await list(name, on: stage).contains(file) == isThere
            }
        }

        @Test func aFileIsTakenBackWithItsLineAndALineWithItsFile() async throws {
            try await onStage { stage in
                let alice = try await Page("alice", on: stage, home: "\(stage.folder)/alice")
                let bob = try await Page("bob", on: stage, linked: alice, home: "\(stage.folder)/bob")
                for name in ["plan.pdf", "map.pdf"] {
                    let path = try stage.randomFile(name, bytes: 100_000)
                    _ = try await stage.ask("alice", "file", "share", path)
                    try await lists("bob", name, on: stage)
                }
                let folder = "\(stage.folder)/fetched"
                _ = try await stage.ask("bob", "file", "get", "plan.pdf", "--output", folder)

                let removed = try await stage.ask("alice", "file", "remove", "plan.pdf")
                #expect(removed.output.text == "removed plan.pdf (100.0 kB)\n")
                for name in ["alice", "bob"] { try await lists(name, "plan.pdf", false, on: stage) }
                #expect(try await list("bob", on: stage).contains("map.pdf"))
                let again = try await stage.ask("bob", "file", "get", "plan.pdf", code: 1)
                #expect(again.error.text.contains(Self.unknown))
                #expect(FileManager.default.fileExists(atPath: "\(folder)/plan.pdf"))
                #expect(try await bob.texts() == ["shares the file map.pdf (100.0 kB)"])

                let line = try #require(try await alice.lines().first?["id"] as? String)
                #expect(try await alice.ask("DELETE", "/v1/lines/\(line)").status == 200)
                for name in ["alice", "bob"] { try await lists(name, "map.pdf", false, on: stage) }
            }
        }

        @Test func aPrivateFileIsTakenBackAlsoBeforeItWasSent() async throws {
            try await onStage { stage in
                let path = try stage.randomFile("plan.pdf", bytes: 50_000)
                let alice = try await stage.node("alice", Self.quiet)
                let quiet = Self.quiet + ["--peer", try alice.listening()]
                let bob = try await stage.node("bob", quiet)
                try await eventually("alice knows bob") {
                    try await stage.ask("alice", "peers").output.text.contains("bob")
                }
                _ = try await stage.ask("alice", "send", "bob", "hi", "--until", "delivered")
                bob.child.send(SIGKILL)
                _ = try await bob.exitCode()
                for again in [false, true] {
                    _ = try await stage.ask("alice", "file", "send", "bob", path)
                    #expect(try await list("alice", on: stage).contains("plan.pdf"))
                    if again {
                        _ = try await stage.node("bob", quiet)
                        try await lists("bob", "plan.pdf", on: stage)
                    }
                    _ = try await stage.ask("alice", "file", "remove", "plan.pdf")
                    try await lists("alice", "plan.pdf", false, on: stage)
                    if again { try await lists("bob", "plan.pdf", false, on: stage) }
                }
            }
        }

        @Test func theCopyOfAnothersFileIsRemovedAndFetchedAgain() async throws {
            try await onStage { stage in
                let path = try stage.randomFile("map.pdf", bytes: 100_000)
                let alice = try await stage.node("alice", Self.quiet)
                _ = try await stage.node("bob", Self.quiet + ["--peer", try alice.listening()])
                _ = try await stage.ask("alice", "file", "share", path)
                try await lists("bob", "map.pdf", on: stage)
                let folder = "\(stage.folder)/fetched"
                for name in ["map.pdf", "map (2).pdf"] {
                    _ = try await stage.ask("bob", "file", "get", "map.pdf", "--output", folder)
                    #expect(FileManager.default.contentsEqual(atPath: path, andPath: "\(folder)/\(name)"))
                    #expect(try await list("bob", on: stage).contains(" yes "))
                    _ = try await stage.ask("bob", "file", "remove", "map.pdf")
                    #expect(try await list("bob", on: stage).contains(" no "))
                }
                #expect(try await list("alice", on: stage).contains(" yes "))
            }
        }

        @Test func ofTwoFilesWithOneNameTheOwnOneIsTakenBack() async throws {
            try await onStage { stage in
                let path = try stage.randomFile("map.pdf", bytes: 1_000)
                let alice = try await stage.node("alice", Self.quiet)
                _ = try await stage.node("bob", Self.quiet + ["--peer", try alice.listening()])
                _ = try await stage.ask("alice", "file", "share", path)
                try await lists("bob", "map.pdf", on: stage)
                _ = try await stage.ask("bob", "file", "share", path)
                try await eventually("alice hears of it") {
                    try await list("alice", on: stage).split(separator: "\n").count == 3
                }
                _ = try await stage.ask("alice", "file", "remove", "map.pdf")
                let left = try await list("alice", on: stage)
                #expect(left.contains("bob") && !left.contains("alice"))
            }
        }

        @Test func afterARestartAFileIsFetchedAndSavedWithoutBeingAskedForAgain() async throws {
            try await onStage { stage in
                let path = try stage.randomFile("map.pdf", bytes: 80_000_000)
                let alice = try await stage.node("alice", Self.quiet)
                let quiet = Self.quiet + ["--peer", try alice.listening()]
                let bob = try await stage.node("bob", quiet)
                _ = try await stage.ask("alice", "file", "share", path)
                try await lists("bob", "map.pdf", on: stage)
                let folder = "\(stage.folder)/fetched"
                let get = try stage.run(
                    ["file", "get", "map.pdf", "--output", folder, "--name", "bob"], as: "bob",
                    home: "\(stage.folder)/bob")
                try await eventually("some of it has come") {
                    let list = try await list("bob", on: stage)
                    return list.contains(" % …") || list.contains(" yes ")
                }
                bob.child.send(SIGKILL)
                _ = try await bob.exitCode()
                _ = try await get.exitCode()
                _ = try await stage.node("bob", quiet)
                let saved = "\(folder)/map.pdf"
                try await eventually("it is saved") { FileManager.default.fileExists(atPath: saved) }
                #expect(FileManager.default.contentsEqual(atPath: path, andPath: saved))
                // Where it is saved is known after the next start, too.
                let json = try await stage.ask("bob", "file", "list", "--json")
                #expect(json.output.text.contains("\"path\":\"\(saved)\""))
            }
        }

        @Test func aFileIsOpenedByTheDesktop() async throws {
            try await onStage { stage in
                let tools = "\(stage.folder)/tools"
                try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
                let opener =
                    "#!/bin/sh\nprintf %s \"$1\" > \(stage.folder)/opened.part\nmv \(stage.folder)/opened.part \(stage.folder)/opened\n"
                #expect(
                    FileManager.default.createFile(
                        atPath: "\(tools)/xdg-open", contents: Data(opener.utf8), attributes: [.posixPermissions: 0o755]
                    ))
                _ = try await stage.node("alice", Self.quiet)
                for name in ["map.pdf", "tool.desktop"] {
                    _ = try await stage.ask("alice", "file", "share", try stage.randomFile(name, bytes: 1_000))
                }
                func open(_ file: String, _ variables: [String]) async throws -> Peer {
                    let asked = try stage.run(
                        ["file", "open", file, "--output", "\(stage.folder)/fetched", "--name", "alice"], as: "alice",
                        home: "\(stage.folder)/alice", under: ["env", "PATH=\(tools):/usr/bin:/bin"] + variables)
                    _ = try await asked.exitCode()
                    return asked
                }
                let saved = "\(stage.folder)/fetched/map.pdf"
                let none = try await open("map.pdf", [])
                #expect(
                    none.error.text.contains("there is no desktop here that could open it; it is saved as \(saved)"))
                let opened = try await open("map.pdf", ["DISPLAY=:7"])
                #expect(opened.output.text == "opened map.pdf, saved as \(saved)\n")
                let note = "\(stage.folder)/opened"
                try await eventually("it is opened") { FileManager.default.fileExists(atPath: note) }
                #expect(try String(contentsOfFile: note, encoding: .utf8) == saved)
                let program = try await open("tool.desktop", ["DISPLAY=:7"])
                #expect(program.error.text.contains("this file may be a program, and is only saved"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(stage.folder)/fetched").count == 2)
            }
        }
    }
}

extension Page {
    /// Without deleted ones.
    fileprivate func lines() async throws -> [[String: Any]] {
        let reply = try await ask("GET", "/v1/rooms/lobby/messages")
        let object = try JSONSerialization.jsonObject(with: reply.body) as? [String: Any]
        return try #require(object?["items"] as? [[String: Any]]).filter { $0["deleted"] == nil }
    }

    fileprivate func texts() async throws -> [String] { try await lines().compactMap { $0["text"] as? String } }
}
