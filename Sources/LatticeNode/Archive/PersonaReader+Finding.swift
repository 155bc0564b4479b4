import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// Resolves references to items and people.
extension PersonaReader {
    private static let prefixDigitsMin = 4
    private static let candidatesMax = 5

    /// - Throws: `RequestError` if the reference matches nothing, or more than one item.
    func find(_ reference: ItemReference, at now: WallTime) async throws(RequestError) -> StoredItem {
        let digits = reference.text.lowercased()
        guard (Self.prefixDigitsMin...64).contains(digits.utf8.count), digits.utf8.allSatisfy(Hex.isDigit) else {
            throw .invalid(faults: [.notAnID(given: String(reference.text.prefix(64)))])
        }
        let ids = try await stored { () throws(StoreError) in
            try await store.items.ids(withPrefix: digits, limit: Self.candidatesMax)
        }
        guard ids.count <= 1 else {
            let shorts = try await stored { () throws(StoreError) in try await store.items.short(of: ids) }
            throw .ambiguousItem(ids: shorts)
        }
        guard let id = ids.first,
            let item = try await stored({ () throws(StoreError) in try await store.items.item(id, at: now) })
        else {
            throw .unknownItem(id: digits)
        }
        return item
    }

    /// Like `find`, for my own items that still exist.
    func findMine(_ reference: ItemReference, at now: WallTime) async throws(RequestError) -> StoredItem {
        let item = try await find(reference, at: now)
        guard item.author == me else {
            throw .notTheAuthor(kind: item.infoKind, act: .edit)
        }
        try PostRules.mustBeThere(item)
        return item
    }

    func find(_ reference: PeerReference, at now: WallTime) async throws(RequestError) -> StoredPerson {
        let text = reference.text
        let found = Naming.meant(by: text, among: acquaintances() + (try await writers(text, at: now)))
        guard found.count <= 1 else { throw .ambiguousPeer(candidates: found, at: now) }
        let person = try await stored { () throws(StoreError) in
            try await store.people.matching(found.first?.id.hex ?? text, at: now, limit: 1).first
        }
        guard let person else {
            throw .unknownPeer(text: String(text.prefix(64)))
        }
        return person
    }

    /// People who match a text and wrote something that is here: posts, or private messages to this person.
    func writers(_ text: String, at now: WallTime) async throws(RequestError) -> [KnownPerson] {
        let bare = text.hasPrefix("@") ? String(text.dropFirst()) : text
        let authors = try await stored { () throws(StoreError) in
            try await store.people.matching(bare, at: now, limit: Self.candidatesMax)
        }
        return authors.map { KnownPerson(id: $0.peer, name: Self.name($0.name)) }
            + (try await mail.conversations()).map { KnownPerson(id: $0.peer, name: $0.peerName) }
    }

    /// The name under which somebody was met.
    func known(_ peer: PeerID) -> PeerName? {
        acquaintances().first { $0.id == peer }?.name
    }

    private func acquaintances() -> [KnownPerson] {
        do {
            return try book?.read().known.all ?? []
        } catch {
            return []  // Authors with a name in their records do not need it.
        }
    }

    /// People without a name in a record have the name under which they were met.
    func infos(_ people: [StoredPerson]) -> [PersonInfo] {
        let known = people.contains { $0.name == nil } ? acquaintances() : []
        let names = Dictionary(known.map { ($0.id, $0.name ?? $0.petname) }) { first, _ in first }
        return people.map { person in
            var info = PersonInfo(person, me: me)
            if info.name == nil, let name = names[info.id] { info.name = name?.text }
            return info
        }
    }

    static func name(_ text: String?) -> PeerName? {
        do {
            return try text.map { try PeerName($0) }
        } catch {
            return nil  // The name was valid when it was signed; the rules have changed.
        }
    }
}
