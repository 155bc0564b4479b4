import GRDB
import LatticeCore
import LatticeGeo
import LatticeWire

/// What follows from a post, comment, event or place: its row, place, words and counts.
extension Batch {
    /// Adds an item, with those of its comments and reactions that arrived before it.
    ///
    /// - Parameter edited: the date of the edit that `content` comes from.
    func file(_ row: RecordRow, _ content: ItemContent, edited: Int64?) throws {
        try database.run(
            """
            INSERT INTO item
              (kind, author, date, expires, state, parent, name, title, text, place, latitude, longitude, geohash,
               hours, at_place, unlock, written, starts, ends, edited, photo, photo_size, photo_width, photo_height,
               photo_words, record, id, comments, likes, attendees)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27,
              (SELECT count(*) FROM item WHERE parent = ?27 AND kind = 5 AND state = 0),
              (SELECT count(*) FROM reaction WHERE target = ?27 AND kind = 6 AND holds = 1),
              CASE ?1 WHEN 8 THEN (SELECT count(*) FROM reaction WHERE target = ?27 AND kind = 9 AND holds = 1) ELSE 0 END)
            """,
            [
                .int(row.kindNumber), .int(row.author), .int(row.date), .int(row.expires), .int(row.erased),
                row.topic.isEmpty ? .null : .bytes(row.topic),
            ] + Self.bound(content, edited: edited) + [.int(row.seq), .key(row.id.hash)])
        if row.erased == 0 { try show(row, content) }
        try use(content.photo, by: row)
        if state.isPersona(row.author) { try activity.enter(on: row) }
        if row.kind == .comment, row.erased == 0 { try countComment(row, by: 1) }
    }

    /// Values for the columns `name` to `photo_words` of `item`.
    private static func bound(_ content: ItemContent, edited: Int64?) -> [Bound] {
        [
            .text(content.name), .text(content.title), .text(content.text), .text(content.placeName),
            .optional((content.place?.coordinate.latitudeE7).map(Int64.init)),
            .optional((content.place?.coordinate.longitudeE7).map(Int64.init)),
            .int(Int64(content.place?.geohashCharacters ?? 0)), .text(content.hours),
            content.atPlace.map { .key($0.hash) } ?? .null, .optional(content.unlockMetres.map(Int64.init)),
            .optional(content.written?.milliseconds), .optional(content.starts?.milliseconds),
            .optional(content.ends?.milliseconds), .optional(edited),
        ] + bound(content.photo)
    }

    /// Replaces the shown content: by an edit's, by the content before it, or by nothing.
    func refile(_ row: RecordRow, _ content: ItemContent, edited: Int64?) throws {
        try hide(row.seq)
        try database.run(
            """
            UPDATE item SET name = ?, title = ?, text = ?, place = ?, latitude = ?, longitude = ?, geohash = ?,
              hours = ?, at_place = ?, unlock = ?, written = ?, starts = ?, ends = ?, edited = ?, photo = ?, photo_size = ?,
              photo_width = ?, photo_height = ?, photo_words = ?, state = ?, expires = ? WHERE record = ?
            """, Self.bound(content, edited: edited) + [.int(row.erased), .int(row.expires), .int(row.seq)])
        if row.erased == 0 { try show(row, content) }
        try useNothing(by: row)
        try use(content.photo, by: row)
    }

    private func show(_ row: RecordRow, _ content: ItemContent) throws {
        guard row.kind.isPlaced, let place = content.place else { return }
        try database.run(
            """
            INSERT INTO spot (kind, cell, item, latitude, longitude, date, expires) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .int(row.kindNumber), .int(Cell(place.coordinate).value), .int(row.seq),
                .int(Int64(place.coordinate.latitudeE7)), .int(Int64(place.coordinate.longitudeE7)), .int(row.date),
                .int(row.expires),
            ])
        try database.run(
            "INSERT INTO words (rowid, title, text, place) VALUES (?, ?, ?, ?)",
            [.int(row.seq), .text(content.title), .text(content.text), .text(content.placeName)])
    }

    /// Removes the item from searches. The index of words keeps no copy, so it has to be given the old text.
    func hide(_ seq: Int64) throws {
        let shown = try database.one(
            """
            SELECT title, text, place, kind, latitude, longitude FROM item
            WHERE record = ? AND state = 0 AND kind IN (4, 8, 17)
            """, [.int(seq)]
        ) { row in
            (
                words: [Bound.text(row.text(0)), .text(row.text(1)), .text(row.text(2))], kind: row.int(3),
                place: row.coordinate(4)
            )
        }
        guard let shown else { return }
        try database.run(
            "INSERT INTO words (words, rowid, title, text, place) VALUES ('delete', ?, ?, ?, ?)",
            [.int(seq)] + shown.words)
        guard let place = shown.place else { return }
        try database.run(
            "DELETE FROM spot WHERE kind = ? AND cell = ? AND item = ?",
            [.int(shown.kind), .int(Cell(place).value), .int(seq)])
    }

    /// Counts a comment on its item, and enters it as activity if the item's author is a persona; or undoes both.
    func countComment(_ comment: RecordRow, by change: Int64) throws {
        guard let parent = try row(named: comment.topic), parent.kind.isItem else { return }
        try database.run(
            "UPDATE item SET comments = comments + ? WHERE record = ?", [.int(change), .int(parent.seq)])
        // During a rebuild the parent may not be filed yet; it counts its comments when it is.
        guard database.changesCount > 0, state.isPersona(parent.author), comment.author != parent.author
        else { return }
        if change > 0 {
            try activity.enter(comment, of: parent.author, on: parent.seq)
        } else {
            try activity.remove(comment)
        }
    }
}
