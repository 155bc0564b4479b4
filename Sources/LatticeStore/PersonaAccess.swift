import GRDB
import LatticeCore
import LatticeWire

/// An open file on behalf of one persona.
struct PersonaAccess: Sendable {
    let file: DatabaseFile
    let author: PeerID
    /// Whom this persona blocks.
    let blocked: BlockedAuthors

    var owner: PeerID { file.owner }

    /// The persona as stored with private messages and rooms.
    var person: Bound { author == owner ? .bytes([]) : .key(author.key) }

    /// `nil` for the owner, whose marks are stored elsewhere.
    var visitor: PeerID? { author == owner ? nil : author }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(StoreError)
        -> Value
    {
        try await file.read(body)
    }

    func commit<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws(StoreError)
        -> Value
    {
        try await file.writer.commit(body)
    }

    func draft(
        at wallTime: WallTime, waits: Bool, _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) -> Draft {
        Draft(author: author, at: wallTime, waits: waits, make: make)
    }
}
