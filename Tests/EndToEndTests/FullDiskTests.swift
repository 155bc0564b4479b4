import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A full disk: chat goes on, and no line is reported as stored.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: SmallDisk.isPossible, "only root mounts a disk"))
    struct FullDiskTests {
        private func onSmallDisk(_ play: (Stage, SmallDisk) async throws -> Void) async throws {
            try await onStage { stage in
                let disk = try SmallDisk(at: "\(stage.folder)/small", bytes: 8 << 20)
                defer { disk.end() }
                try await play(stage, disk)
            }
        }

        private func run(_ stage: Stage, _ disk: SmallDisk) throws -> Peer {
            try stage.run(["run", "--name", "alice", "--discovery", "off"], as: "alice", home: disk.path)
        }

        private func isReached(_ stage: Stage, _ disk: SmallDisk) async throws -> Bool {
            try await stage.run(["stats", "--name", "alice", "--json"], home: disk.path).exitCode() == 0
        }

        @Test func whatASecondChatSaysToNobodyIsNotCalledKept() async throws {
            try await onSmallDisk { stage, disk in
                _ = try run(stage, disk)
                try await eventually("it runs") { try await isReached(stage, disk) }
                try disk.fill()
                let chat = try stage.start("alice", home: disk.path)
                try await chat.ready()
                chat.say("who keeps this?")
                try await chat.event("a word of it") {
                    $0.event == "error" && $0.code == "notKept" && ($0.message ?? "").contains("disk")
                }
                chat.say("/quit")
                #expect(try await chat.exitCode() == 69)
                let end = try await chat.event("the end") { $0.event == "error" && $0.code == "nobodyThere" }
                #expect(end.message?.contains("It is not stored; send it again") == true, "\(end)")
            }
        }

        @Test func aFileThatDoesNotFitIsRefusedBeforeAnythingIsFetched() async throws {
            try await onSmallDisk { stage, disk in
                let path = try stage.randomFile("big.bin", bytes: 20_000_000)
                let bob = try await stage.node("bob", ["--discovery", "off"])
                let quiet = ["--discovery", "off", "--peer", try bob.listening()]
                _ = try stage.run(["run", "--name", "alice"] + quiet, as: "alice", home: disk.path)
                try await eventually("it runs") { try await isReached(stage, disk) }
                func ask(_ arguments: String...) throws -> Peer {
                    try stage.run(arguments + ["--name", "alice"], home: disk.path)
                }
                _ = try await stage.ask("bob", "file", "share", path)
                func listed() async throws -> String {
                    let list = try ask("file", "list")
                    _ = try await list.exitCode()
                    return list.output.text
                }
                try await eventually("alice hears of it") { try await listed().contains("big.bin") }
                for folder in ["\(stage.folder)/fetched", "\(disk.path)/not/there/yet"] {
                    let got = try ask("file", "get", "big.bin", "--output", folder)
                    #expect(try await got.exitCode() == 1)
                    #expect(got.error.text.contains("this file needs"), "\(got.error.text)")
                    #expect(got.error.text.contains("free for files; free some space"))
                    #expect(!FileManager.default.fileExists(atPath: folder))
                }
                #expect(try await listed().contains("no    big.bin"))
            }
        }

        @Test func aNodeThatBeginsOnAFullDiskIsReached() async throws {
            try await onSmallDisk { stage, disk in
                let first = try run(stage, disk)
                try await eventually("it runs") { try await isReached(stage, disk) }
                first.child.send(SIGKILL)
                _ = try await first.exitCode()
                try disk.fill()
                let second = try run(stage, disk)
                try await eventually("the second is reached") { try await isReached(stage, disk) }
                #expect(second.child.exitCode == nil)
            }
        }
    }
}
