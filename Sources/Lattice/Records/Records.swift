import LatticeAPI
import LatticeCore

/// What is signed and kept: lines in rooms and posts at places. They reach peers that were away, too, from any peer that has
/// them.
///
/// A session in memory keeps nothing: it says lines and hears them, and all else throws ``LatticeError/Code/storage``. All
/// calls wait until the session runs, and throw its error if it does not, ``LatticeError/Code/closed`` after it and
/// ``LatticeError/Code/cancelled``.
public struct Records: Sendable {
    /// A place's items come in pages.
    private static let pageItemsMax = 100
    /// The most that one call lists.
    private static let limitMax = 1_000

    let session: Session

    // MARK: - Lines

    /// Says a line to all who are in a room, now or later. The session is in that room from then on.
    ///
    /// - Parameters:
    ///   - text: 1–4,096 bytes.
    ///   - room: `#` and 1–63 bytes without white space and commas; letters are folded to lower case.
    /// - Returns: the record.
    /// - Throws: ``LatticeError/Code/invalid``, ``LatticeError/Code/tooLong``; ``LatticeError/Code/busy`` if too many lines wait for a peer,
    ///   or the session is in too many rooms.
    nonisolated(nonsending) public func say(
        _ text: String, in room: String = "#lobby"
    ) async throws(LatticeError) -> RecordID {
        let (running, room) = try await joined(room)
        return RecordID(try await running.perform(Say(text, style: .says, room: room)).record)
    }

    /// The last lines of a room, the newest first. The session is in that room from then on.
    ///
    /// - Parameters:
    ///   - room: as in ``say(_:in:)``.
    ///   - line: only those before this one; `nil` begins with the newest.
    ///   - limit: 1–1,000.
    /// - Throws: ``LatticeError/Code/invalid``; ``LatticeError/Code/storage`` if the store cannot be read, or in memory.
    nonisolated(nonsending) public func lines(
        in room: String, before line: RecordID? = nil, limit: Int = 100
    ) async throws(LatticeError) -> [Line] {
        try Self.check(limit)
        let (running, room) = try await joined(room)
        try running.checkStore()
        let page = try await running.perform(HistoryQuery(room: room, limit: limit, before: line?.core))
        return page.lines.reversed().map(Line.init)
    }

    private nonisolated(nonsending) func joined(
        _ text: String
    ) async throws(LatticeError) -> (ServingNode, RoomName) {
        let room = try SessionSettings.room(text)
        let running = try await session.running()
        try await running.perform(JoinRoom(room))
        return (running, room)
    }

    private static func check(_ limit: Int) throws(LatticeError) {
        guard (1...limitMax).contains(limit) else {
            throw LatticeError(.invalid, "a list has 1 to \(limitMax) entries")
        }
    }

    // MARK: - Posts

    /// Leaves a text at a place.
    ///
    /// - Parameters:
    ///   - text: 1–1,000 characters, at most 4,096 bytes.
    ///   - place: where.
    ///   - metres: 0 leaves the place exact; otherwise it is cut, before signing, to the middle of a cell at least this wide at
    ///     the equator. 0–5,000,000.
    ///   - lifetime: when it is forgotten, one minute to one year; a week unless given.
    /// - Returns: the record.
    /// - Throws: ``LatticeError/Code/invalid``; ``LatticeError/Code/storage`` if the store cannot be written, or in memory.
    nonisolated(nonsending) public func post(
        _ text: String, at place: Place, blurMetres metres: Int = 0, lifetime: Duration = .seconds(604_800)
    ) async throws(LatticeError) -> RecordID {
        guard (0...5_000_000).contains(metres) else {
            throw LatticeError(.invalid, "a place is blurred by 0 to 5,000,000 metres")
        }
        let running = try await session.running()
        try running.checkStore()
        let blur = Place.blurCharacters(metres: metres)
        let item = try await running.perform(NewPost(text: text, at: place.core, lifetime: lifetime, blur: blur))
        return RecordID(item.id)
    }

    /// The posts around a place, nearest first.
    ///
    /// - Parameters:
    ///   - place: the middle.
    ///   - metres: nothing further away than this; more than 0, at most 100,000.
    ///   - limit: 1–1,000.
    /// - Throws: ``LatticeError/Code/invalid``; ``LatticeError/Code/storage`` if the store cannot be read, or in memory.
    nonisolated(nonsending) public func posts(
        near place: Place, metres: Double, limit: Int = 100
    ) async throws(LatticeError) -> [Post] {
        try Self.check(limit)
        guard metres > 0, metres <= PostLimit.searchMax else {
            throw LatticeError(.invalid, "posts are looked for within more than 0 and at most 100,000 metres")
        }
        let running = try await session.running()
        try running.checkStore()
        var posts: [Post] = []
        var query = NearQuery(.posts, centre: place.core, radius: metres, within: metres)
        while posts.count < limit {
            query.page.limit = min(Self.pageItemsMax, limit - posts.count)
            let page = try await running.perform(query)
            posts += page.items.compactMap { Post($0, hasDistance: true) }
            guard let next = page.next else { break }
            query.page.after = next
        }
        return posts
    }

    /// Deletes one of this session's own posts or lines: every store that hears of it erases the text.
    ///
    /// - Throws: ``LatticeError/Code/unknown`` if it is not kept here; ``LatticeError/Code/invalid`` if it is somebody else's;
    ///   ``LatticeError/Code/storage`` if the store cannot be written, or in memory.
    nonisolated(nonsending) public func remove(_ id: RecordID) async throws(LatticeError) {
        let running = try await session.running()
        try running.checkStore()
        do throws(LatticeError) {
            try await running.perform(DeleteItem(ItemReference(id.description)))
        } catch {
            guard error.code == .unknown else { throw error }
            try await running.perform(DeleteLine(id.core))
        }
    }
}

extension ServingNode {
    fileprivate func checkStore() throws(LatticeError) {
        guard hasStore else { throw LatticeError(.storage, "a session in memory keeps no records") }
    }
}

extension Session {
    /// Lines in rooms and posts at places.
    public var records: Records { Records(session: self) }
}
