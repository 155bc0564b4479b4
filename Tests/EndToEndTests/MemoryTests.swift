import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// What the memory of a running chat holds, and who gets to see it.
    @Suite(.timeLimit(.minutes(10))) struct MemoryTests {
        /// Swift's runtime would tell every register, and what stands in memory where it points.
        @Test(arguments: [SIGSEGV, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGTRAP])
        func aCrashTellsNothing(signal: Int32) async throws {
            try await onStage { stage in
                let chat = try stage.run(
                    ["chat", "--name", "alice", "--json", "--discovery", "off"], as: "alice",
                    under: ["env", "-u", "SWIFT_BACKTRACE"])
                try await chat.ready()
                let (output, error) = (chat.output.text, chat.error.text)
                chat.child.send(signal)
                #expect(try await chat.exitCode() == 128 + signal)
                #expect(chat.output.text == output && chat.error.text == error)
            }
        }

        // The files of a process that forbids dumps are open to the superuser alone.
        @Test(.enabled(if: geteuid() == 0))
        func theKeysThatLastAreNeverSwappedOut() async throws {
            try await onStage { stage in
                let open = try stage.start("alice", ["--discovery", "off"])
                try await open.ready()
                // The identity, the static key of its handshakes, and what recognises private messages and seals prekeys.
                #expect(try open.child.lockedAreas() == 4)
                let file = "\(stage.folder)/passphrase"
                try Data("among us\n".utf8).write(to: URL(filePath: file))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                let closed = try stage.start("bob", ["--discovery", "off", "--passphrase-file", file])
                try await closed.ready()
                // The key of the mesh as well.
                #expect(try closed.child.lockedAreas() == 5)
                #expect(try closed.child.lockedKiB() == 5 * Int(getpagesize()) / 1_024)
            }
        }
    }
}
