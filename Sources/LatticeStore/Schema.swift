import GRDB

/// The tables, version by version. A migration that was released is never changed: `StoreTests` opens a kept file of every
/// version.
///
/// `peer`, `record`, `outbox` and `setting` are primary; what `derivedTables` names follows from them and can be made anew.
/// The third added letters between two people and the keys to them: primary, and of this file alone.
/// What the second version added is what this store tells others of itself: what it has, what it had, what it let go. The fourth
/// added to that what may come back, private rooms, which are as letters are, and whose each of these are, of those who speak through
/// one node.
enum Schema {
    /// How many there are.
    static let version = 4

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { database in
            try database.execute(sql: primary)
            try database.execute(sql: firstDerived)
        }
        // References are not what it changes: to look at all of them would take as long as to read the file.
        migrator.registerMigration("v2", foreignKeyChecks: .immediate) { database in
            try rewriteMemberships(database)
            try database.execute(sql: catalogue)
        }
        migrator.registerMigration("v3", foreignKeyChecks: .immediate) { database in
            try judgeLetters(database)
            try database.execute(sql: letters)
        }
        migrator.registerMigration("v4", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: returning)
            try separatePersons(database)
            try database.execute(sql: rooms)
        }
        return migrator
    }

    /// How the first table begins in the file, whatever version it is of.
    static let signature = "CREATE TABLE record (\n  -- Never given twice"

    /// What was said, and what this machine adds to it.
    private static let primary = """
        CREATE TABLE peer (
          seq INTEGER PRIMARY KEY,
          key BLOB NOT NULL UNIQUE CHECK (length(key) = 32)
        ) STRICT;

        CREATE TABLE record (
          -- Never given twice: a reader that continues after the last one seen misses nothing.
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
          kind INTEGER NOT NULL,
          author INTEGER NOT NULL REFERENCES peer (seq),
          -- The hybrid time with its top bit flipped, so that signed order is the order of dates.
          created INTEGER NOT NULL,
          lifetime INTEGER NOT NULL CHECK (lifetime BETWEEN 60 AND 31536000),
          topic BLOB NOT NULL CHECK (length(topic) <= 256),
          -- Unix milliseconds, as all dates below: when it came here first.
          seen INTEGER NOT NULL,
          -- The earlier of when it was made and when it came: what it is sorted and aged by.
          date INTEGER NOT NULL CHECK (date <= seen),
          expires INTEGER NOT NULL,
          -- 0 what people wrote, 1 what they did to it, 2 what is unknown here and what takes back what is not here.
          class INTEGER NOT NULL CHECK (class IN (0, 1, 2)),
          -- What counts against the quotas.
          size INTEGER NOT NULL CHECK (size > 0),
          -- 0 here, 1 taken back by its author, 2 by the author of what it is about.
          erased INTEGER NOT NULL DEFAULT 0 CHECK (erased IN (0, 1, 2)),
          bytes BLOB,
          CHECK ((bytes IS NULL) = (erased <> 0))
        ) STRICT;
        CREATE INDEX record_expires ON record (expires);
        CREATE INDEX record_class ON record (class, date);
        CREATE INDEX record_author ON record (author, date);
        -- Profiles, likes, follows, attendances: only the newest of an author and topic is kept.
        CREATE UNIQUE INDEX record_replaceable ON record (author, kind, topic) WHERE kind IN (3, 6, 7, 9);
        -- Edits and deletions by what they are about, the newest edit last.
        CREATE INDEX record_about ON record (topic, kind, created, id) WHERE kind IN (10, 11);

        -- Own records that no neighbour has confirmed.
        CREATE TABLE outbox (
          record INTEGER PRIMARY KEY REFERENCES record (seq) ON DELETE CASCADE
        ) STRICT;

        CREATE TABLE setting (
          key TEXT PRIMARY KEY NOT NULL,
          value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The tables of `derived`, those that point at others first.
    static let derivedTables = [
        "activity", "words", "spot", "reaction", "profile", "item", "usage_author", "usage_kind",
    ]

    /// What follows from the records, as the tables are now.
    static let derived = rewritten(firstDerived)

    /// As the first version made them.
    private static let firstDerived = """
        -- Posts (4), comments (5) and events (8) as they are now: edits applied, likes counted.
        CREATE TABLE item (
          record INTEGER PRIMARY KEY REFERENCES record (seq) ON DELETE CASCADE,
          -- The record's, so that to show an item its record need not be read.
          id BLOB NOT NULL CHECK (length(id) = 32),
          kind INTEGER NOT NULL CHECK (kind IN (4, 5, 8)),
          author INTEGER NOT NULL,
          date INTEGER NOT NULL,
          expires INTEGER NOT NULL,
          -- 0 shown, 1 taken back by its author, 2 by the author of what it is about.
          state INTEGER NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2)),
          -- The id of what a comment is about.
          parent BLOB CHECK ((parent IS NOT NULL) = (kind = 5)),
          -- The author's name, as in the record; empty for what was taken back.
          name TEXT NOT NULL,
          -- An event's name.
          title TEXT NOT NULL DEFAULT '',
          text TEXT NOT NULL,
          -- A post's place by name, an event's address.
          place TEXT NOT NULL DEFAULT '',
          -- Ten-millionths of a degree; NULL for comments and for what was taken back.
          latitude INTEGER CHECK (latitude BETWEEN -900000000 AND 900000000),
          longitude INTEGER CHECK (longitude BETWEEN -1800000000 AND 1799999999),
          geohash INTEGER NOT NULL DEFAULT 0 CHECK (geohash BETWEEN 0 AND 12),
          starts INTEGER,
          ends INTEGER CHECK (ends >= starts),
          -- The date of the edit that applies.
          edited INTEGER,
          likes INTEGER NOT NULL DEFAULT 0 CHECK (likes >= 0),
          comments INTEGER NOT NULL DEFAULT 0 CHECK (comments >= 0),
          attendees INTEGER NOT NULL DEFAULT 0 CHECK (attendees >= 0)
        ) STRICT;
        CREATE INDEX item_author ON item (author, date, record, expires) WHERE kind = 4 AND state = 0;
        CREATE INDEX item_date ON item (date, record) WHERE kind IN (4, 8) AND state = 0;
        CREATE INDEX item_comments ON item (parent, date, record) WHERE kind = 5;

        -- Where posts and events that can be shown are, in the order of `Cell`.
        CREATE TABLE spot (
          kind INTEGER NOT NULL CHECK (kind IN (4, 8)),
          cell INTEGER NOT NULL,
          item INTEGER NOT NULL,
          latitude INTEGER NOT NULL,
          longitude INTEGER NOT NULL,
          date INTEGER NOT NULL,
          expires INTEGER NOT NULL,
          PRIMARY KEY (kind, cell, item)
        ) STRICT, WITHOUT ROWID;

        -- Likes (6), follows (7) and attendances (9) by what they are about: a record's id, or a peer's key.
        CREATE TABLE reaction (
          target BLOB NOT NULL CHECK (length(target) = 32),
          kind INTEGER NOT NULL CHECK (kind IN (6, 7, 9)),
          author INTEGER NOT NULL,
          record INTEGER NOT NULL,
          date INTEGER NOT NULL,
          holds INTEGER NOT NULL CHECK (holds IN (0, 1)),
          PRIMARY KEY (target, kind, author)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reaction_author ON reaction (author, kind, holds);

        -- What others did to what is the owner's: comments, and reactions that hold.
        CREATE TABLE activity (
          record INTEGER PRIMARY KEY REFERENCES record (seq) ON DELETE CASCADE,
          date INTEGER NOT NULL,
          kind INTEGER NOT NULL CHECK (kind IN (5, 6, 7, 9)),
          -- What it was done to; NULL for a follow.
          item INTEGER REFERENCES item (record)
        ) STRICT;
        CREATE INDEX activity_date ON activity (date, record);
        CREATE INDEX activity_item ON activity (item);

        CREATE TABLE profile (
          peer INTEGER PRIMARY KEY REFERENCES peer (seq),
          record INTEGER NOT NULL UNIQUE REFERENCES record (seq) ON DELETE CASCADE,
          name TEXT NOT NULL,
          about TEXT NOT NULL,
          -- 0xRRGGBB
          colour INTEGER CHECK (colour BETWEEN 0 AND 16777215)
        ) STRICT;
        CREATE INDEX profile_name ON profile (name);

        -- Words of posts and events that can be shown, and their first three letters: what many words begin with would
        -- else be gathered word by word.
        CREATE VIRTUAL TABLE words USING fts5 (
          title, text, place, content = 'item', content_rowid = 'record', tokenize = 'unicode61 remove_diacritics 2',
          prefix = '3'
        );

        -- How much of the quotas is used.
        CREATE TABLE usage_author (
          author INTEGER PRIMARY KEY,
          records INTEGER NOT NULL CHECK (records >= 0),
          bytes INTEGER NOT NULL CHECK (bytes >= 0)
        ) STRICT;
        CREATE TABLE usage_kind (
          class INTEGER NOT NULL,
          -- 0 stands for all unknown kinds together.
          kind INTEGER NOT NULL,
          records INTEGER NOT NULL CHECK (records >= 0),
          bytes INTEGER NOT NULL CHECK (bytes >= 0),
          PRIMARY KEY (class, kind)
        ) STRICT, WITHOUT ROWID;
        """
}
