import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

/// Accounts that open by a password alone.
@Suite(.timeLimit(.minutes(10))) struct AccountTests {
    private let home: Home
    private let folder: String
    private let bob = AccountName("bob")

    init() throws {
        home = try Home("ann")
        folder = URL(filePath: home.path).deletingLastPathComponent().path
    }

    private func book() -> AccountBook { AccountBook(folder: folder, cost: .least) }

    private func typed(_ text: String) -> TypedKey { TypedKey(text) }

    private func forget() { unlink("\(folder)/accounts") }

    @Test func theFirstPasswordClaimsAndNoOtherOpens() async throws {
        defer { forget() }
        let (bob, book) = (try #require(bob), book())
        #expect(try await !book.isClaimed(bob))
        #expect(try await book.opens(bob, typed("correct horse")))
        #expect(try await book.isClaimed(bob))
        #expect(try await book.opens(bob, typed("correct horse")))
        for wrong in ["correct hors", "correct horse ", "", "x"] { #expect(try await !book.opens(bob, typed(wrong))) }
        let carol = try #require(AccountName("carol"))
        #expect(try await !book.isClaimed(carol))
        // Another start.
        let again = self.book()
        #expect(try await again.opens(bob, typed("correct horse")))
        #expect(try await !again.opens(bob, typed("battery staple")))
    }

    @Test func aPasswordThatIsTooShortClaimsNothing() async throws {
        defer { forget() }
        let (bob, book) = (try #require(bob), book())
        for password in ["", "seven77", String(repeating: "x", count: 1_025)] {
            let error = await #expect(throws: RequestError.self) { try await book.opens(bob, typed(password)) }
            #expect(error?.code == .invalid)
        }
        #expect(try await !book.isClaimed(bob))
    }

    @Test func theFileIsItsOwnersAloneAndHoldsNoPassword() async throws {
        defer { forget() }
        _ = try await book().opens(try #require(bob), typed("correct horse"))
        let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/accounts")
        #expect(facts[.posixPermissions] as? Int == 0o600)
        let text = try String(contentsOfFile: "\(folder)/accounts", encoding: .utf8)
        #expect(!text.contains("correct horse") && text.contains(" argon2id 1 8 "))
        #expect(DataDirectory.isOurs("accounts") && DataDirectory.isOurs("accounts.123"))
    }

    @Test func aLineThatCannotBeReadGivesNobodyAnAccount() async throws {
        defer { forget() }
        try "Ym9i argon2id 1 8 !!! ???\n".write(toFile: "\(folder)/accounts", atomically: true, encoding: .utf8)
        let (bob, book) = (try #require(bob), book())
        let error = await #expect(throws: RequestError.self) { try await book.opens(bob, typed("correct horse")) }
        #expect(error?.code == .fileFailed)
        await #expect(throws: RequestError.self) { try await book.isClaimed(bob) }
    }

    @Test func ofManyWhoClaimAtOnceOneHasIt() async throws {
        defer { forget() }
        let (bob, book) = (try #require(bob), book())
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<20 { group.addTask { try await book.opens(bob, TypedKey("password \(number)")) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(winners == 1)
    }

    @Test func whereNothingIsKeptNothingIsClaimed() async throws {
        let here = try await Chatter(home)
        let bob = try #require(bob)
        #expect(try await !here.node.isClaimed(bob))
        let error = await #expect(throws: RequestError.self) {
            try await here.node.opens(bob, password: TypedKey("correct horse"))
        }
        #expect(error?.code == .fileFailed)
    }

    @Test func aHashIsItsText() throws {
        let hash = try PasswordHash(of: Array("correct horse".utf8), cost: .least)
        #expect(PasswordHash(text: hash.text) == hash)
        for text in [
            "", "argon2id 1 8  ", hash.text + " ", "argon2i" + hash.text.dropFirst(8), String(hash.text.dropLast()),
        ] {
            #expect(PasswordHash(text: text) == nil)
        }
    }
}
