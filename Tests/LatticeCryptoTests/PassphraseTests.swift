import Foundation
import LatticeCrypto
import Testing

struct PassphraseTests {
    @Test(arguments: ["secret", "secret\n", "secret\r\n", "secret\nmore\n"])
    func theFirstLineIsThePassphrase(text: String) throws {
        try withFile(Data(text.utf8)) { path in
            let passphrase = try Passphrase.read(path: path)
            let isRead = passphrase.matches(Array("secret".utf8))
            #expect(isRead)
        }
    }

    @Test func bytesAreTakenAsTheyAre() throws {
        try withFile(Data([0xFF, 0, 0x20, 0x20])) { path in
            let passphrase = try Passphrase.read(path: path)
            let isRead = passphrase.matches([0xFF, 0, 0x20, 0x20])
            #expect(isRead)
        }
    }

    @Test(arguments: [(1_023, true), (1_024, true), (1_025, false), (70_000, false)])
    func aPassphraseHasALimit(count: Int, isTaken: Bool) throws {
        try withFile(Data(repeating: 0x61, count: count)) { path in
            guard isTaken else {
                #expect(failure(path) == .tooLong(from: path))
                return
            }
            let read = try Passphrase.read(path: path).count
            #expect(read == count)
        }
    }

    @Test(arguments: ["", "\n", "\r\n", "\nsecret"])
    func anEmptyFirstLineIsRefused(text: String) throws {
        try withFile(Data(text.utf8)) { path in
            #expect(failure(path) == .empty(from: path))
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o666] as [UInt32])
    func aFileThatOthersCanReadIsRefusedWithTheRemedy(mode: UInt32) throws {
        try withFile(Data("secret\n".utf8), mode: mode) { path in
            #expect(failure(path) == .readableByOthers(path: path, mode: mode))
            #expect(failure(path)?.description.contains("chmod 600") == true)
        }
    }

    @Test func aMissingFileAndAFolderAreTold() {
        for path in ["/nonexistent/passphrase", "/"] {
            guard case .unreadable(from: path, _) = failure(path) else {
                if case .readableByOthers = failure(path) { continue }
                Issue.record("\(path) is no passphrase")
                continue
            }
        }
    }

    private func failure(_ path: String) -> PassphraseError? {
        do {
            _ = try Passphrase.read(path: path)
            return nil
        } catch {
            return error
        }
    }

    private func withFile(_ data: Data, mode: UInt32 = 0o600, _ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "lattice-passphrase-\(UUID().uuidString)"
        try data.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try body(path)
    }
}
