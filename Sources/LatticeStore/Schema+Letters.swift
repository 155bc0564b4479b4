import GRDB

extension Schema {
    /// Profiles, likes, follows, attendances and prekeys, in the words of the index that holds them: SQLite looks there only if
    /// asked so.
    static let replaceableUntilThree = "kind = 3 OR kind = 6 OR kind = 7 OR kind = 9 OR kind = 13"

    /// Letters and the keys to them.
    static let letters = """
        DROP INDEX record_replaceable;
        CREATE UNIQUE INDEX record_replaceable ON record (author, kind, topic) WHERE \(replaceableUntilThree);
        -- To go on where one was.
        CREATE INDEX record_sealed ON record (seq) WHERE kind = 12;

        -- The owner's prekeys, as long as they open anything. What is deleted here is overwritten.
        CREATE TABLE prekey (
          id INTEGER PRIMARY KEY,
          public BLOB NOT NULL CHECK (length(public) = 32),
          -- Never the secret itself.
          sealed BLOB NOT NULL,
          rotating INTEGER NOT NULL CHECK (rotating BETWEEN 0 AND 1),
          made INTEGER NOT NULL,
          -- When something that was sealed to it came first.
          used INTEGER,
          -- When another one replaced it: set for all rotating ones but the current.
          replaced INTEGER CHECK (replaced IS NULL OR rotating = 1)
        ) STRICT;

        -- What was said between the owner and one other, opened.
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
          -- NULL until it can be sealed.
          record BLOB UNIQUE CHECK (length(record) = 32),
          -- To which of the other's prekeys it was sealed.
          prekey INTEGER,
          -- 0 waiting, 1 relayed, 2 delivered, 3 lapsed.
          state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
          -- Its author was not told yet that it was opened.
          owes INTEGER NOT NULL CHECK (owes BETWEEN 0 AND 1),
          -- Which process wrote it: others tell of it.
          writer INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX letter_peer ON letter (peer, number);
        CREATE INDEX letter_open ON letter (expires) WHERE mine = 1 AND state < 2;
        CREATE INDEX letter_owed ON letter (peer, number) WHERE owes = 1;
        """

    /// Earlier versions kept both kinds unread, whatever they were: prekeys come again from their owners, and letters count from now
    /// on as what people wrote.
    static func judgeLetters(_ database: Database) throws {
        let sql = "SELECT EXISTS (SELECT 1 FROM record WHERE kind = 12 OR kind = 13)"
        guard try Bool.fetchOne(database, sql: sql) == true else { return }
        try database.execute(
            sql: """
                DELETE FROM record WHERE kind = 13;
                UPDATE record SET class = 0 WHERE kind = 12;
                DELETE FROM usage_author;
                INSERT INTO usage_author (author, records, bytes)
                  SELECT author, count(*), sum(size) FROM record GROUP BY author;
                DELETE FROM usage_kind;
                INSERT INTO usage_kind (class, kind, records, bytes)
                  SELECT class, CASE WHEN kind BETWEEN 1 AND 13 THEN kind ELSE 0 END AS number, count(*), sum(size)
                  FROM record GROUP BY class, number;
                """)
    }
}
