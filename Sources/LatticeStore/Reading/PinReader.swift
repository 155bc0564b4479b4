import GRDB
package import LatticeCore
package import LatticeWire

/// A pin of a room, with the current line.
package struct StoredPin<Line: Hashable & Sendable>: Hashable, Sendable {
    package enum Pinned: Hashable, Sendable {
        /// A line that is not deleted.
        case line(Line)
        case text(String)
    }

    package let author: PeerID
    /// The author's name in the record of the pin.
    package let name: PeerName
    /// When it was pinned, or when it arrived if that was earlier.
    package let date: WallTime
    package let pinned: Pinned
}

/// Limits on the pins of one room.
package enum Pins {
    /// How many a room shows.
    package static let shownMax = 3
    /// How many are read to find them.
    static let examinedMax: Int64 = 256
    /// The lifetime of a pin's record.
    static let keptMilliseconds: Int64 = 30 * 86_400_000
}

/// Pins of public rooms.
package struct PinReader: Sendable {
    let access: PersonaAccess

    /// Its arguments are the room's topic and a limit.
    static let query = """
        SELECT peer.key, record.bytes, record.date, record.expires
        FROM pin JOIN record ON record.seq = pin.record JOIN peer ON peer.seq = pin.author
        WHERE pin.room = ? ORDER BY pin.date DESC, pin.record DESC LIMIT ?
        """

    /// The newest pins of a room, the newest first.
    ///
    /// - Parameters:
    ///   - limit: a room shows `Pins.shownMax`.
    ///   - unheard: pins by these people and pins of their lines are left out.
    ///   - now: pins that have expired or are older than 30 days are left out, and pins of lines that have expired, are
    ///     deleted or are in another room.
    package func newest(
        _ limit: Int = Pins.shownMax, in topic: [UInt8], except unheard: Set<PeerID> = [], at now: WallTime
    ) async throws(StoreError) -> [StoredPin<StoredLine>] {
        try await access.read { database in
            var found: [StoredPin<StoredLine>] = []
            try database.each(Self.query, [.bytes(topic), .int(Pins.examinedMax)]) { row in
                guard let author = row.bytes32(0).map(PeerID.init), !unheard.contains(author),
                    row.int(3) > now.milliseconds, row.int(2) > now.milliseconds - Pins.keptMilliseconds
                else { return true }
                let body = try Self.body(try Batch.signed(row.bytes(1)).record.body)
                let pinned: StoredPin<StoredLine>.Pinned
                switch body.pinned {
                case .nothing: return true
                case .text(let text): pinned = .text(text)
                case .line(let id):
                    let line = try database.one(
                        "SELECT \(StoredLine.columns) FROM record WHERE id = ? AND kind = 1 AND expires > ? AND erased = 0",
                        [.key(id.hash), .int(now.milliseconds)]
                    ) { try StoredLine($0) }
                    guard let line, line.topic == topic, line.isReadable, !unheard.contains(line.author) else {
                        return true
                    }
                    pinned = .line(line)
                }
                found.append(
                    StoredPin(
                        author: author, name: body.name, date: WallTime(milliseconds: row.int(2)), pinned: pinned))
                return found.count < limit
            }
            return found
        }
    }

    private static func body(_ bytes: [UInt8]) throws -> PinBody {
        do {
            return try PinBody(decoding: bytes)
        } catch {
            throw DatabaseError.damaged("a pin is not of its kind: \(error)")
        }
    }

    /// This person's pin in a room; `nil` if they have none, or if it has expired.
    package func own(in topic: [UInt8], at now: WallTime) async throws(StoreError) -> PinBody.Pinned? {
        let author = access.author
        return try await access.read { database in
            guard let seq = try database.seq(of: author) else { return nil }
            let bytes = try database.one(
                """
                SELECT bytes FROM record WHERE author = ? AND kind = 18 AND topic = ? AND (\(Schema.replaceable))
                  AND expires > ?
                """, [.int(seq), .bytes(topic), .int(now.milliseconds)]
            ) { $0.bytes(0) }
            guard let bytes else { return nil }
            let pinned = try Self.body(try Batch.signed(bytes).record.body).pinned
            return pinned == .nothing ? nil : pinned
        }
    }
}
