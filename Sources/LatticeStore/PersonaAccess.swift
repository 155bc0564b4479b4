import GRDB
import LatticeCore
import LatticeWire

/// An open file on behalf of one persona.
struct PersonaAccess: Sendable {
    let file: DatabaseFile
    /// The persona who reads and writes.
    let author: PeerID
    /// Whom this persona blocks.
    let blocked: BlockedAuthors

    var owner: PeerID { file.owner }

    /// The persona as stored with letters and rooms.
    var person: Bound { author == owner ? .bytes([]) : .key(author.key) }

    /// `nil` for the owner, whose marks are stored elsewhere.
    var resident: PeerID? { author == owner ? nil : author }

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
        at wall: WallTime, waits: Bool, _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) -> Draft {
        Draft(author: author, at: wall, waits: waits, make: make)
    }
}
