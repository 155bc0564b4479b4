import GRDB

extension Schema {
    /// Of whom an author's newest of a topic stands for all before it, in the words of the index that holds them: what the third version
    /// had, and residences.
    static let replaceable = replaceableUntilThree + " OR kind = 14"

    /// Letters and keys of several people, each of whom speaks through the owner's node: whose they are stands beside them. SQLite does
    /// not change what is unique in a table, so that of letters is made anew.
    static func separatePersons(_ database: Database) throws {
        try judgeResidences(database)
        // Letters leave nothing behind where they stood.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        defer { _ = Result { try database.execute(sql: "PRAGMA secure_delete = OFF") } }
        try database.execute(
            sql: """
                DROP INDEX letter_peer;
                DROP INDEX letter_open;
                DROP INDEX letter_owed;
                ALTER TABLE letter RENAME TO old_letter;
                """)
        try database.execute(sql: personal)
        let columns = try database.columns(in: "old_letter").map(\.name).joined(separator: ", ")
        // No number is given twice, whatever was deleted.
        try database.execute(
            sql: """
                INSERT INTO letter (\(columns)) SELECT \(columns) FROM old_letter;
                DELETE FROM sqlite_sequence WHERE name = 'letter'
                  AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'old_letter');
                UPDATE sqlite_sequence SET name = 'letter' WHERE name = 'old_letter';
                DROP TABLE old_letter;
                """)
    }

    /// Whose something is; empty for the owner's.
    static let person = "BLOB NOT NULL DEFAULT x'' CHECK (length(person) = 0 OR length(person) = 32)"

    private static let personal = """
        -- Who has spoken through the owner's node and has keys for letters; up to which record they were looked at for them.
        CREATE TABLE resident (
          person BLOB PRIMARY KEY NOT NULL CHECK (length(person) = 32),
          opened INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE prekey ADD COLUMN person \(person);
        CREATE INDEX prekey_person ON prekey (person, made, id);

        -- What was said between one person and one other, opened.
        CREATE TABLE letter (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          peer BLOB NOT NULL CHECK (length(peer) = 32),
          mine INTEGER NOT NULL CHECK (mine BETWEEN 0 AND 1),
          -- Its author's.
          name TEXT NOT NULL,
          text TEXT NOT NULL,
          -- 0 says, 1 acts; 2 more for a notice.
          style INTEGER NOT NULL CHECK (style BETWEEN 0 AND 3),
          date INTEGER NOT NULL,
          late INTEGER NOT NULL CHECK (late BETWEEN 0 AND 1),
          -- When it is no use any more to send it.
          expires INTEGER NOT NULL,
          -- NULL until it can be sealed. The same for both, where both are here.
          record BLOB CHECK (length(record) = 32),
          -- To which of the other's prekeys it was sealed.
          prekey INTEGER,
          -- 0 waiting, 1 relayed, 2 delivered, 3 lapsed.
          state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
          -- Its author was not told yet that it was opened.
          owes INTEGER NOT NULL CHECK (owes BETWEEN 0 AND 1),
          -- Which process wrote it: others tell of it.
          writer INTEGER NOT NULL,
          person \(person),
          UNIQUE (record, person)
        ) STRICT;
        CREATE INDEX letter_peer ON letter (person, peer, number);
        CREATE INDEX letter_person ON letter (person, number);
        CREATE INDEX letter_open ON letter (person, expires) WHERE mine = 1 AND state < 2;
        CREATE INDEX letter_owed ON letter (person, peer, number) WHERE owes = 1;
        CREATE INDEX letter_prekey ON letter (peer, prekey) WHERE prekey IS NOT NULL;
        """

    /// Earlier versions kept every residence unread: they come again from their authors.
    private static func judgeResidences(_ database: Database) throws {
        let sql = "SELECT EXISTS (SELECT 1 FROM record WHERE kind = 14)"
        if try Bool.fetchOne(database, sql: sql) == true {
            try database.execute(
                sql: """
                    DELETE FROM record WHERE kind = 14;
                    DELETE FROM usage_author;
                    INSERT INTO usage_author (author, records, bytes)
                      SELECT author, count(*), sum(size) FROM record GROUP BY author;
                    DELETE FROM usage_kind;
                    INSERT INTO usage_kind (class, kind, records, bytes)
                      SELECT class, CASE WHEN kind BETWEEN 1 AND 13 THEN kind ELSE 0 END AS number, count(*), sum(size)
                      FROM record GROUP BY class, number;
                    """)
        }
        try database.execute(
            sql: """
                DROP INDEX record_replaceable;
                CREATE UNIQUE INDEX record_replaceable ON record (author, kind, topic) WHERE \(replaceable);
                """)
    }
}
