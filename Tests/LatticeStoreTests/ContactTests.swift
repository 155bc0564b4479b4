import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// How visitors mark people.
@Suite struct ContactTests {
    private let folder: Folder
    private let authors: [Author]
    private let store: Store
    private var visitor: Store { store.of(authors[1].peer) }

    init() throws {
        folder = try Folder()
        authors = try (0..<4).map { try Author(UInt8($0 + 1)) }
        store = try folder.store(of: authors[0])
    }

    private func contact(_ number: Int, blocked: Int64? = nil, verified: Int64? = nil) -> StoredContact {
        StoredContact(
            peer: authors[number].peer, name: authors[number].name.text, petname: nil, added: nil,
            verified: verified.map(WallTime.init(milliseconds:)), blocked: blocked.map(WallTime.init(milliseconds:)),
            ignored: nil)
    }

    private func mark(_ contacts: [StoredContact], muted: [String] = [], in store: Store) async throws {
        try await store.contacts.update { _ in ((), StoredMarks(contacts, muted: muted)) }
    }

    @Test func marksAreReplacedAndTakenBack() async throws {
        try await mark([contact(2, blocked: 1), contact(3, verified: 2)], in: visitor)
        #expect(try Set(visitor.contacts.all().contacts) == [contact(2, blocked: 1), contact(3, verified: 2)])
        try await mark([contact(3, blocked: 3, verified: 2)], in: visitor)
        #expect(try visitor.contacts.all().contacts == [contact(3, blocked: 3, verified: 2)])
        let seen = try await visitor.contacts.update { before in (before, nil) }
        #expect(seen == StoredMarks([contact(3, blocked: 3, verified: 2)]))
        #expect(try visitor.contacts.all() == seen)
    }

    @Test func eachVisitorMutesRoomsOfItsOwn() async throws {
        let other = store.of(authors[2].peer)
        try await mark([contact(3, verified: 1)], muted: ["#park", "#den"], in: visitor)
        try await mark([], muted: ["#park"], in: other)
        #expect(try visitor.contacts.all() == StoredMarks([contact(3, verified: 1)], muted: ["#den", "#park"]))
        try await mark([contact(3, verified: 1)], muted: ["#lobby", "#park"], in: visitor)
        #expect(try visitor.contacts.all().muted == ["#lobby", "#park"])
        try await mark([], in: visitor)
        #expect(try visitor.contacts.all() == StoredMarks([]))
        #expect(try other.contacts.all().muted == ["#park"])
    }

    @Test func eachVisitorHasMarksOfItsOwn() async throws {
        let other = store.of(authors[2].peer)
        try await mark([contact(3, blocked: 1)], in: visitor)
        try await mark([contact(3, verified: 1)], in: other)
        try await mark([], in: visitor)
        #expect(try visitor.contacts.all().contacts.isEmpty)
        #expect(try other.contacts.all().contacts == [contact(3, verified: 1)])
    }

    @Test func linesOfBlockedAuthorsAreLeftOutForOneVisitorAlone() async throws {
        let lines = authors.map { $0.chat("by \($0.name.text)") }
        _ = try await store.insert(lines, at: Morning.arrival)
        try await mark([contact(2, blocked: 1), contact(3, verified: 1)], in: visitor)
        func authorsOf(_ store: Store, limit: Int = 10) async throws -> Set<PeerID> {
            let page = try await store.history.lines(of: Array("#park".utf8), limit: limit, at: Morning.arrival)
            return Set(page.lines.map(\.author))
        }
        #expect(try await authorsOf(visitor) == Set([0, 1, 3].map { authors[$0].peer }))
        #expect(try await authorsOf(visitor, limit: 3).count == 3)
        #expect(try await authorsOf(store).count == 4)
        #expect(try await authorsOf(store.of(authors[2].peer)).count == 4)
    }
}
