/// Connections with an unfinished handshake, oldest first. There are few, so a linear search is cheap.
struct HalfOpenConnections {
    typealias ID = UInt64

    private struct Entry {
        let id: ID
        let source: ConnectionSource
    }

    private var entries: [Entry] = []
    private var lastID: ID = 0

    var count: Int { entries.count }

    func count(from address: String) -> Int {
        entries.count { $0.source.address == address }
    }

    mutating func add(_ source: ConnectionSource) -> ID {
        lastID += 1
        entries.append(Entry(id: lastID, source: source))
        return lastID
    }

    /// - Returns: whether it was there.
    mutating func remove(_ id: ID) -> Bool {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
        entries.remove(at: index)
        return true
    }

    func oldest(from address: String) -> ID? {
        entries.first { $0.source.address == address }?.id
    }

    /// The oldest connection of the address with most connections, within the network with most: a source with many
    /// connections is evicted before a source with one.
    var oldestOfMostCrowded: ID? {
        guard let network = mostCrowded(entries, by: \.network) else { return nil }
        let inNetwork = entries.filter { $0.source.network == network }
        return mostCrowded(inNetwork, by: \.address).flatMap(oldest)
    }

    /// Among equals, the one with the oldest connection.
    private func mostCrowded(_ entries: [Entry], by part: KeyPath<ConnectionSource, String>) -> String? {
        let counts = entries.reduce(into: [:]) { $0[$1.source[keyPath: part], default: 0] += 1 }
        guard let most = counts.values.max() else { return nil }
        return entries.lazy.map { $0.source[keyPath: part] }.first { counts[$0] == most }
    }
}
