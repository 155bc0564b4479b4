import GRDB

extension Schema {
    /// Of whom an author's newest of a topic stands for all before it, in the words of the index that holds them: what the fourth version
    /// had, and residences.
    static let replaceable = replaceableUntilFour + " OR kind = 14"

    /// Letters, keys and private rooms of several people, each of whom speaks through the owner's node: whose they are stands beside them, and is
    /// empty for the owner's. SQLite does not change what is unique in a table, so the tables are made anew.
    static func separatePersons(_ database: Database) throws {
        try judgeResidences(database)
        // Keys and letters leave nothing behind where they stood.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        defer { _ = Result { try database.execute(sql: "PRAGMA secure_delete = OFF") } }
        try database.execute(
            sql: """
                DROP INDEX letter_peer;
                DROP INDEX letter_open;
                DROP INDEX letter_owed;
                DROP INDEX room_line_turn;
                DROP INDEX room_errand_open;
                """)
        for table in remade { try database.execute(sql: "ALTER TABLE \(table) RENAME TO old_\(table)") }
        try database.execute(sql: personal)
        for table in remade {
            let columns = try database.columns(in: "old_\(table)").map(\.name).joined(separator: ", ")
            try database.execute(sql: "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM old_\(table)")
            // No number is given twice, whatever was deleted.
            try database.execute(
                sql: """
                    DELETE FROM sqlite_sequence WHERE name = '\(table)'
                      AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'old_\(table)');
                    UPDATE sqlite_sequence SET name = '\(table)' WHERE name = 'old_\(table)';
                    """)
        }
        for table in remade.reversed() { try database.execute(sql: "DROP TABLE old_\(table)") }
    }

    /// What is pointed at first.
    private static let remade = [
        "letter", "room", "room_key", "room_member", "room_line", "room_offer", "room_errand",
    ]

    private static let person = "BLOB NOT NULL DEFAULT x'' CHECK (length(person) = 0 OR length(person) = 32)"

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
          -- 0 says, 1 acts.
          style INTEGER NOT NULL CHECK (style BETWEEN 0 AND 1),
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
          -- Empty for the owner.
          person \(person),
          UNIQUE (record, person)
        ) STRICT;
        CREATE INDEX letter_peer ON letter (person, peer, number);
        CREATE INDEX letter_person ON letter (person, number);
        CREATE INDEX letter_open ON letter (person, expires) WHERE mine = 1 AND state < 2;
        CREATE INDEX letter_owed ON letter (person, peer, number) WHERE owes = 1;
        CREATE INDEX letter_prekey ON letter (peer, prekey) WHERE prekey IS NOT NULL;

        -- As before, for each person.
        CREATE TABLE room (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL,
          -- The id of its first key.
          root BLOB NOT NULL CHECK (length(root) = 32),
          person \(person),
          UNIQUE (person, name)
        ) STRICT;

        CREATE TABLE room_key (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          room INTEGER NOT NULL REFERENCES room (number) ON DELETE CASCADE,
          id BLOB NOT NULL CHECK (length(id) = 32),
          number INTEGER NOT NULL CHECK (number BETWEEN 0 AND 1000000),
          -- The key before; NULL of the first one, and of one that was typed.
          parent BLOB CHECK (length(parent) = 32),
          -- 1 if nobody has said which number it has.
          typed INTEGER NOT NULL CHECK (typed BETWEEN 0 AND 1),
          -- Never the secret itself.
          sealed BLOB NOT NULL,
          -- Who made it; NULL if nobody has said.
          maker BLOB CHECK (length(maker) = 32),
          taken INTEGER NOT NULL,
          -- Up to which record it was tried.
          looked INTEGER NOT NULL DEFAULT 0,
          -- 1 if another one with its parent removes who made it: what is spoken under is not it.
          yields INTEGER NOT NULL DEFAULT 0 CHECK (yields BETWEEN 0 AND 1),
          UNIQUE (room, id)
        ) STRICT;

        CREATE TABLE room_member (
          key INTEGER NOT NULL REFERENCES room_key (seq) ON DELETE CASCADE,
          peer BLOB NOT NULL CHECK (length(peer) = 32),
          -- As somebody told last.
          name TEXT,
          -- 1 invited, 2 here, 3 left, 4 removed when this key was made.
          state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 4),
          PRIMARY KEY (key, peer)
        ) STRICT, WITHOUT ROWID;

        -- What was said in private rooms, opened.
        CREATE TABLE room_line (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          room INTEGER NOT NULL REFERENCES room (number) ON DELETE CASCADE,
          record BLOB NOT NULL CHECK (length(record) = 32),
          author BLOB NOT NULL CHECK (length(author) = 32),
          name TEXT NOT NULL,
          text TEXT NOT NULL,
          -- 0 says, 1 acts.
          style INTEGER NOT NULL CHECK (style BETWEEN 0 AND 1),
          -- The record's.
          turn INTEGER NOT NULL,
          date INTEGER NOT NULL,
          late INTEGER NOT NULL CHECK (late BETWEEN 0 AND 1),
          UNIQUE (record, room)
        ) STRICT;
        CREATE INDEX room_line_turn ON room_line (room, turn, record);

        -- Keys that came by letter and were not taken: invitations, and what waits for another one.
        CREATE TABLE room_offer (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          author BLOB NOT NULL CHECK (length(author) = 32),
          name TEXT NOT NULL,
          id BLOB NOT NULL CHECK (length(id) = 32),
          -- 1 an invitation, 2 what follows a key.
          purpose INTEGER NOT NULL CHECK (purpose BETWEEN 1 AND 2),
          -- All that the letter says.
          sealed BLOB NOT NULL,
          told INTEGER NOT NULL DEFAULT 0 CHECK (told BETWEEN 0 AND 1),
          person \(person),
          UNIQUE (person, author, id, purpose)
        ) STRICT;

        -- Who is to be sent a key, until it is sealed for them.
        CREATE TABLE room_errand (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          key INTEGER NOT NULL REFERENCES room_key (seq) ON DELETE CASCADE,
          peer BLOB NOT NULL CHECK (length(peer) = 32),
          purpose INTEGER NOT NULL CHECK (purpose BETWEEN 1 AND 2),
          expires INTEGER NOT NULL,
          record BLOB CHECK (length(record) = 32),
          -- To which of theirs it was sealed.
          prekey INTEGER
        ) STRICT;
        CREATE INDEX room_errand_open ON room_errand (number) WHERE record IS NULL;
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
