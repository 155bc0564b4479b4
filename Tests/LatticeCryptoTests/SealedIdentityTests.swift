import Foundation
import LatticeCore
import LatticeCrypto
import Testing

struct SealedIdentityTests {
    private let identity = Identity.generate()

    private func sealed(_ passphrase: String = "correct horse") throws -> SealedIdentity {
        try SealedIdentity(sealing: identity, under: secret(passphrase), cost: .least)
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    private func readError(_ text: [UInt8]) -> IdentityTextError? {
        do {
            _ = try SealedIdentity(reading: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func thePassphraseOpensWhatItSealed() throws {
        let read = try SealedIdentity(reading: try sealed().text)
        #expect(read.peer == identity.peer)
        let opened = try read.open(secret("correct horse"))
        #expect(IdentityText.write(opened) == IdentityText.write(identity))
        #expect(opened.memory != .ordinary)
    }

    @Test func anotherPassphraseOpensNothing() throws {
        let sealed = try sealed()
        for wrong in ["", "correct hors", "correct horse ", "Correct horse"] {
            #expect(throws: PassphraseKeyError.wrong) { _ = try sealed.open(secret(wrong)) }
        }
    }

    @Test func neitherTheSeedNorThePassphraseIsInTheText() throws {
        let text = String(decoding: try sealed().text, as: UTF8.self)
        let plain = String(decoding: IdentityText.write(identity), as: UTF8.self)
        let seed = try #require(plain.split(separator: "\n")[2].split(separator: " ").last)
        #expect(!text.contains(seed) && !text.contains("correct horse"))
        #expect(text.contains(identity.peer.hex))
    }

    @Test func twoSealsOfOneIdentityShareNeitherSaltNorNonce() throws {
        let (first, second) = (try sealed().text, try sealed().text)
        let lines = [first, second].map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        #expect(lines[0][...2] == lines[1][...2])
        #expect((3...6).allSatisfy { lines[0][$0] != lines[1][$0] })
    }

    @Test func everyPrefixIsRefused() throws {
        let text = try sealed().text
        for count in 0..<text.count { #expect(readError(Array(text.prefix(count))) != nil, "\(count) bytes") }
    }

    @Test func everyFlippedBitIsDamageAndNotAWrongPassphrase() throws {
        let text = try sealed().text
        for index in text.indices {
            for bit in 0..<8 {
                var changed = text
                changed[index] ^= 1 << bit
                #expect(readError(changed) != nil, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test func whateverFollowsIsDamage() throws {
        let text = try sealed().text
        for tail in [1, 5_000] { #expect(readError(text + [UInt8](repeating: 10, count: tail)) == .trailing) }
    }

    /// A file with other numbers and a check that fits.
    private func text(costing numbers: String) throws -> [UInt8] {
        let whole = String(decoding: try sealed().text, as: UTF8.self).replacing("argon2id 1 8\n", with: numbers)
        let lines = whole.prefix(upTo: try #require(whole.ranges(of: "check ").last).lowerBound)
        return Array((lines + "check \(Digest.blake2b256(Array(lines.utf8)).hex)\n").utf8)
    }

    @Test func aFileThatAsksForTooMuchIsRefusedBeforeAnyWork() throws {
        let refused = [
            "0 8", "1 7", "65 8", "1 1048577", "5 1048576", "64 65537", "9999999999 8", "1 9999999999", "1 0",
        ]
        for numbers in refused {
            #expect(readError(try text(costing: "argon2id \(numbers)\n")) == .costOutOfRange, "\(numbers)")
        }
        for numbers in ["-1 8", "1", "1 8 8", "1  8 ", "+1 8", "01 8", "1 08", "99999999999999999999 8", " 1 8"] {
            let error = readError(try text(costing: "argon2id \(numbers)\n"))
            #expect(error != nil, "\(numbers)")
        }
        #expect(readError(try text(costing: "argon2id 1 8\n")) == nil)
        #expect(readError(try text(costing: "argon2id 4 1048576\n")) == nil)
    }

    @Test func theNumbersBelongToTheSeal() throws {
        let changed = try SealedIdentity(reading: try text(costing: "argon2id 2 8\n"))
        #expect(throws: PassphraseKeyError.wrong) { _ = try changed.open(secret("correct horse")) }
    }

    /// The seal finds out that the public key of another identity was put in.
    @Test func aPublicKeyThatWasPutInOpensNothing() throws {
        let other = Identity.generate()
        let whole = String(decoding: try sealed().text, as: UTF8.self).replacing(
            identity.peer.hex, with: other.peer.hex)
        let lines = whole.prefix(upTo: try #require(whole.ranges(of: "check ").last).lowerBound)
        let text = Array((lines + "check \(Digest.blake2b256(Array(lines.utf8)).hex)\n").utf8)
        let read = try SealedIdentity(reading: text)
        #expect(read.peer == other.peer)
        #expect(throws: PassphraseKeyError.wrong) { _ = try read.open(secret("correct horse")) }
    }
}

struct PassphraseFileTests {
    private let folder: KeyFolder
    private let identity = Identity.generate()

    init() throws {
        folder = try KeyFolder()
        try folder.file.create(identity)
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    private func sealed() throws -> SealedIdentity {
        try SealedIdentity(sealing: identity, under: secret("p"), cost: .least)
    }

    @Test func aReplacedFileIsAloneAndItsOwnersOnly() throws {
        let sealed = try sealed()
        try folder.file.replace(with: identity, under: sealed)
        #expect(try folder.names == ["identity"])
        #expect(try folder.read() == sealed.text)
        #expect(try folder.file.content().peer == identity.peer)
        let failure = error { () throws(IdentityFileError) in _ = try folder.file.loadOrCreate() }
        #expect(failure == .underPassphrase(path: folder.file.path))
        try folder.file.replace(with: identity, under: nil)
        #expect(try folder.file.load().peer == identity.peer)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func theOldOctetsAreOverwritten() throws {
        let old = try #require(FileHandle(forReadingAtPath: folder.file.path))
        let size = try folder.read().count
        try folder.file.replace(with: identity, under: try sealed())
        #expect(try old.readToEnd() == Data(repeating: 0, count: size))
    }

    @Test func whatAnInterruptedChangeLeftGoesWithTheNext() throws {
        try Data(IdentityText.write(identity)).write(to: URL(filePath: folder.file.path + ".change.new"))
        try folder.file.replace(with: identity, under: try sealed())
        #expect(try folder.names == ["identity"])
    }

    @Test func behindALinkTheFileItselfIsReplaced() throws {
        let link = IdentityFile(path: folder.path + "/link")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: folder.file.path)
        try link.replace(with: identity, under: try sealed())
        #expect(try folder.names == ["identity", "link"])
        #expect(try folder.read().starts(with: Array("lattice identity 2\n".utf8)))
    }

    @Test func aFileIsErasedAndALinkLeadsNowhere() throws {
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file.path)
        try SecretFile.erase(link)
        #expect(try folder.names == ["identity"])
        #expect(try folder.file.load().peer == identity.peer)
        try SecretFile.erase(folder.file.path)
        try SecretFile.erase(folder.file.path)
        #expect(try folder.names == [])
    }
}
