import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

/// Keys that somebody takes from one node to another.
@Suite struct AccountKeyTests {
    private let folder: String
    private let node = Identity.generate()
    private let passphrase = TypedKey("take me along")

    init() throws {
        folder = NSTemporaryDirectory() + "lattice-keys-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func book(in other: String = "") -> AccountBook { AccountBook(folder: folder + other, cost: .least) }

    private func account(_ name: String) throws -> AccountName { try #require(AccountName(name)) }

    private func file(_ identity: Identity, cost: PassphraseKey.Cost = .least) throws -> [UInt8] {
        try SealedIdentity(sealing: identity, under: SecretBytes(copying: passphrase.bytes), cost: cost).text
    }

    @Test func aKeyIsTheSameOnAnotherNodeAndAfterARestart() async throws {
        defer { removeFolder() }
        let (jonna, here) = (try account("web/jonna"), book())
        let before = try await here.identity(of: jonna, on: node)
        #expect(before.peer == node.visitor(of: Array("web/jonna".utf8)).peer)
        let file = try await here.keyFile(of: before, under: passphrase)
        #expect(!String(decoding: file, as: UTF8.self).contains("secret"))
        let (other, account) = (Identity.generate(), try account("web/j"))
        #expect(try await here.bring(file, under: passphrase, as: account, on: other) == before.peer)
        #expect(try await book().identity(of: account, on: other).peer == before.peer)
        let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/account-keys")
        #expect(facts[.posixPermissions] as? Int == 0o600)
        // Under another node's key it opens nothing.
        await #expect(throws: RequestError.badKeyFile(problem: .damaged)) {
            try await book().identity(of: account, on: Identity.generate())
        }
        // Known under another account; and on the first node, where it follows from the node's key, none is stored.
        let known = try self.account("web/known")
        try await here.moveKey(of: account, to: known, on: other)
        #expect(try await book().identity(of: known, on: other).peer == before.peer)
        #expect(try await book().identity(of: account, on: other).peer != before.peer)
        try await here.forgetKeys { $0 != known }
        #expect(try await book().identity(of: known, on: other).peer != before.peer)
        _ = try await here.bring(file, under: passphrase, as: account, on: node)
        try await here.moveKey(of: account, to: jonna, on: node)
        #expect(try String(contentsOfFile: "\(folder)/account-keys", encoding: .utf8).isEmpty)
    }

    @Test func whatIsNoKeyIsRefusedInItsOwnWay() async throws {
        defer { removeFolder() }
        let (book, account) = (book(), try account("a"))
        let good = try file(Identity.generate())
        var bent = good
        bent[40] = bent[40] == 0x61 ? 0x62 : 0x61
        let dear = try #require(PassphraseKey.Cost(passes: 4, memoryKiB: 8))
        let (cut, longer) = (Array(good.dropLast(9)), good + [0x0A])
        let (costly, open) = (try file(Identity.generate(), cost: dear), IdentityText.write(Identity.generate()))
        let cases: [([UInt8], RequestError.KeyFileProblem)] = [
            ([], .noKeyFile), (Array("hello".utf8), .noKeyFile), (open, .noKeyFile), (bent, .damaged), (cut, .damaged),
            (longer, .damaged), (costly, .tooCostly), (try file(node), .isOfNode),
        ]
        for (text, problem) in cases {
            await #expect(throws: RequestError.badKeyFile(problem: problem)) {
                try await book.bring(text, under: passphrase, as: account, on: node)
            }
        }
        await #expect(throws: RequestError.badKeyFile(problem: .wrongPassphrase)) {
            try await book.bring(good, under: TypedKey("leave me here"), as: account, on: node)
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/account-keys"))
    }

    @Test(arguments: ["", "seven77"]) func aShortPassphraseIsRefused(text: String) async throws {
        defer { removeFolder() }
        let error = await #expect(throws: RequestError.self) {
            try await book().keyFile(of: Identity.generate(), under: TypedKey(text))
        }
        #expect(error?.code == .invalid)
    }

    @Test func aDamagedLineConcernsNobodyElseAndStays() async throws {
        defer { removeFolder() }
        let path = "\(folder)/account-keys"
        try Data("rubbish\n".utf8).write(to: URL(filePath: path))
        let (jonna, key) = (try account("web/jonna"), Identity.generate())
        _ = try await book().bring(try file(key), under: passphrase, as: jonna, on: node)
        #expect(try await book().identity(of: jonna, on: node).peer == key.peer)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("\nrubbish\n"))
    }

    private func removeFolder() {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            Issue.record(error)
        }
    }
}
