import GRDB

/// Every derived table as text, with the numbers of this store replaced by what they stand for: two stores that say the
/// same have the same dump, whatever the order in which they came to it.
func dump(_ path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    return try queue.write { database in
        try database.execute(sql: "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, words, instance)")
        return try Dump.queries.flatMap { name, sql in
            try Row.fetchAll(database, sql: sql).map { row in
                "\(name): " + row.databaseValues.map(\.description).joined(separator: "|")
            }.sorted()
        }
    }
}

private enum Dump {
    static let queries = [
        (
            "record",
            """
            SELECT hex(r.id), r.kind, hex(p.key), r.created, r.date, r.expires, r.class, r.size, r.erased,
              hex(r.bytes) FROM record r JOIN peer p ON p.seq = r.author
            """
        ),
        (
            "item",
            """
            SELECT hex(r.id), i.kind, hex(p.key), i.date, i.expires, i.state, hex(i.parent), i.name, i.title, i.text,
              i.place, i.latitude, i.longitude, i.geohash, i.hours, hex(i.at_place), i.unlock, i.written, i.starts, i.ends, i.edited, i.likes, i.comments, i.attendees,
              hex(i.photo), i.photo_size, i.photo_width, i.photo_height, i.photo_words
            FROM item i JOIN record r ON r.seq = i.record JOIN peer p ON p.seq = i.author
            """
        ),
        (
            "blob_use",
            """
            SELECT hex(b.root), b.size, u.kind, hex(r.id)
            FROM blob_use u JOIN blob b ON b.seq = u.blob LEFT JOIN record r ON r.seq = u.source
            """
        ),
        (
            "emoji",
            "SELECT hex(e.target), e.emoji, hex(p.key), e.created FROM emoji e JOIN peer p ON p.seq = e.author"
        ),
        (
            "pin",
            """
            SELECT hex(r.id), hex(x.room), hex(p.key), x.date
            FROM pin x JOIN record r ON r.seq = x.record JOIN peer p ON p.seq = x.author
            """
        ),
        (
            "spot",
            """
            SELECT s.kind, s.cell, hex(r.id), s.latitude, s.longitude, s.date, s.expires
            FROM spot s JOIN record r ON r.seq = s.item
            """
        ),
        (
            "reaction",
            """
            SELECT hex(x.target), x.kind, hex(p.key), hex(r.id), x.date, x.holds
            FROM reaction x JOIN record r ON r.seq = x.record JOIN peer p ON p.seq = x.author
            """
        ),
        (
            "activity",
            """
            SELECT hex(r.id), a.date, a.kind, hex(t.id)
            FROM activity a JOIN record r ON r.seq = a.record LEFT JOIN record t ON t.seq = a.item
            """
        ),
        (
            "profile",
            """
            SELECT hex(p.key), hex(r.id), f.name, f.about, f.colour, hex(f.photo), f.photo_size, f.photo_width,
              f.photo_height, f.photo_words
            FROM profile f JOIN record r ON r.seq = f.record JOIN peer p ON p.seq = f.peer
            """
        ),
        (
            "words",
            "SELECT v.term, hex(r.id), v.col, v.\"offset\" FROM temp.vocabulary v JOIN record r ON r.seq = v.doc"
        ),
        ("words orphaned", "SELECT v.term, v.doc FROM temp.vocabulary v WHERE v.doc NOT IN (SELECT seq FROM record)"),
        (
            "usage_author",
            """
            SELECT hex(p.key), sum(u.records), sum(u.bytes) FROM author_here u JOIN peer p ON p.seq = u.author
            GROUP BY p.key
            """
        ),
        ("usage_kind", "SELECT class, kind, sum(records), sum(bytes) FROM kind_here GROUP BY class, kind"),
    ]
}
