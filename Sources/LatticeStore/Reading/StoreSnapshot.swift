import GRDB
package import LatticeCore
import LatticeWire

/// A snapshot of the store for several short queries. It is only valid during the call that passes it.
package struct StoreSnapshot {
    let database: Database
    let viewer: PeerID

    /// Like `ItemFinder.near`.
    package func near(_ search: NearSearch) throws -> [Found] {
        let spots = try SpotScan(database, search).nearest()
        var reader = try ItemReader(database, viewer: viewer)
        var found: [Found] = []
        found.reserveCapacity(spots.count)
        try reader.forEach(spots.map(\.seq), now: search.now) { index, item in
            found.append(Found(item: item, metres: spots[index].metres))
        }
        return found
    }

    /// Like `ItemFinder.short(of:)`.
    package func short(of ids: [RecordID]) throws -> [String] {
        let neighbours = try RawStatement(
            database,
            """
            SELECT (SELECT max(id) FROM record WHERE id < ?1), (SELECT min(id) FROM record WHERE id > ?1)
            """)
        return try ids.map { id in
            try neighbours.bind(id.hash, at: 1)
            let shared = try neighbours.first { row in
                max(Self.shared(id.hash, row.bytes32(0)), Self.shared(id.hash, row.bytes32(1)))
            }
            return String(id.hex.prefix(max(IDRange.digitsMin, (shared ?? 0) + 1)))
        }
    }

    /// The number of leading hexadecimal digits that two ids share.
    private static func shared(_ id: Bytes32, _ other: Bytes32?) -> Int {
        other.map { id.digitsShared(with: $0) } ?? 0
    }

    package func followed() throws -> Set<PeerID> {
        guard let own = try database.seq(of: viewer) else { return [] }
        let follows = try RawStatement(
            database, "SELECT target FROM reaction WHERE author = ?1 AND kind = 7 AND holds = 1")
        try follows.bind(own, at: 1)
        var followed: Set<PeerID> = []
        try follows.forEach { row in
            if let key = row.bytes32(0) { followed.insert(PeerID(key)) }
            return true
        }
        return followed
    }

    /// Like `Store.setting`.
    package func setting(_ key: String) throws -> String? {
        try StoredSettings.value(key, in: database)
    }
}

extension PersonaAccess {
    func snapshot<Value>(_ ask: (StoreSnapshot) throws -> Value) throws(StoreError) -> Value {
        try file.readInPlace { try ask(StoreSnapshot(database: $0, viewer: author)) }
    }
}

extension Store {
    /// Runs on the calling thread: for queries that take less time than switching threads.
    package func snapshot<Value>(_ ask: (StoreSnapshot) throws -> Value) throws(StoreError) -> Value {
        try access.snapshot(ask)
    }
}
