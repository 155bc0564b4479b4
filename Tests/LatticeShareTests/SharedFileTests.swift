import Foundation
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeShare

/// What may be shared, and what is read of a program.
@Suite struct SharedFileTests {
    private static func fault(_ kind: SharedFile.Kind, at path: String) throws -> SharedFileFault? {
        do {
            _ = try SharedFile(kind, at: path, name: "x")
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (SharedFile.Kind.program, "/nowhere/lattice", "cannot read /nowhere/lattice: No such file or directory"),
        (.program, "/usr/bin", "/usr/bin is a folder; name a file"), (.program, "/dev/null", "not a regular file"),
        (.program, "/etc/passwd", "not a Linux program"), (.debian, "/etc/passwd", "not a Debian package"),
        (.source, "/etc/passwd", "git bundle create"),
    ])
    func whatCannotBeSharedSaysWhy(kind: SharedFile.Kind, path: String, words: String) throws {
        let fault = try #require(try Self.fault(kind, at: path))
        #expect(fault.description.contains(words), "\(fault)")
    }

    /// A pipe would be waited for.
    @Test func aPipeIsRefusedAtOnce() async throws {
        try await ShareRig.inFolder { folder in
            try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
            #expect(try Self.fault(.program, at: "\(folder)/pipe")?.reason == .noFile)
        }
    }

    @Test func theSumIsThatOfTheWholeFile() throws {
        let content = Array(try Data(contentsOf: URL(filePath: ShareRig.program)))
        let file = try SharedFile(.program, at: ShareRig.program, name: "lattice")
        #expect(file.bytes == content.count)
        #expect(file.sum == (Digest.sha256(content) as Bytes32).hex)
    }

    @Test func aProgramSaysWhatItNeeds() throws {
        let needs = try #require(try SharedFile(.program, at: ShareRig.program, name: "lattice").program)
        #expect(needs.machine == ShareRig.machine)
        #expect(needs.loader?.hasPrefix("/lib") == true)
        #expect(needs.libraries.contains("libc.so.6"))
        #expect(needs.foreignLibraries == [])
        let own = try #require(try SharedFile(.program, at: "/proc/self/exe", name: "tests").program)
        #expect(own.libraries.contains { $0.hasPrefix("libsodium.so") })
        #expect(own.foreignLibraries.contains { $0.hasPrefix("libsodium.so") })
        #expect(!own.foreignLibraries.contains { $0.hasPrefix("libc.so") || $0.hasPrefix("libm.so") })
    }

    /// Each byte of the headers is spoiled, and the file is cut everywhere: the answer may be anything but a stop.
    @Test func aSpoiledProgramIsReadWithoutHarm() throws {
        let content = Array(try Data(contentsOf: URL(filePath: ShareRig.program)))
        func read(_ bytes: [UInt8]) -> ProgramFile? {
            ProgramFile { offset, count in
                offset < bytes.count ? Array(bytes[offset..<min(bytes.count, offset + count)]) : []
            }
        }
        let whole = try #require(read(content))
        for cut in stride(from: 0, to: content.count, by: 61) { _ = read(Array(content[..<cut])) }
        var differing = 0
        for place in 0..<min(content.count, 1_024) {
            for value: UInt8 in [0x00, 0x7F, 0xFF] {
                var bytes = content
                bytes[place] = value
                if read(bytes) != whole { differing += 1 }
            }
        }
        #expect(differing > 10)
    }
}
