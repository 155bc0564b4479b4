import GRDB

extension Schema {
    /// The tables of `derived`, each before the tables that it references.
    static let derivedTables = [
        "activity", "line_words", "words", "spot", "emoji", "pin", "reaction", "profile", "item", "usage_author",
        "usage_kind",
    ]
    private static let derivedViews = ["author_here", "kind_here"]

    /// Drops the derived tables and creates them empty.
    static func remakeDerived(in database: Database) throws {
        for view in derivedViews { try database.execute(sql: "DROP VIEW IF EXISTS \(view)") }
        try StoredSettings.set(.lineWords, nil, in: database)
        for table in derivedTables { try database.execute(sql: "DROP TABLE IF EXISTS \(table)") }
        try database.execute(sql: derived)
    }

    /// Everything that follows from the records.
    static let derived = """
        -- Posts (4), comments (5), events (8) and places (17) as they are now: edits applied, likes counted.
        CREATE TABLE item (
          record INTEGER PRIMARY KEY REFERENCES record (seq) ON DELETE CASCADE,
          -- The record's, so that to show an item its record need not be read.
          id BLOB NOT NULL CHECK (length(id) = 32),
          kind INTEGER NOT NULL CHECK (kind = 4 OR kind = 5 OR kind = 8 OR kind = 17),
          author INTEGER NOT NULL,
          date INTEGER NOT NULL,
          expires INTEGER NOT NULL,
          -- 0 shown, 1 taken back by its author, 2 by the author of what it is about.
          state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2),
          -- The id of what a comment is about, or of the place that a place is part of.
          parent BLOB CHECK (CASE kind WHEN 5 THEN parent IS NOT NULL WHEN 17 THEN TRUE ELSE parent IS NULL END),
          -- The author's name, as in the record; empty for what was taken back.
          name TEXT NOT NULL,
          -- The name of an event or a place.
          title TEXT NOT NULL DEFAULT '',
          text TEXT NOT NULL,
          -- A post's place by name, an event's address, what kind of place a place is.
          place TEXT NOT NULL DEFAULT '',
          -- Ten-millionths of a degree; NULL for comments and for what was taken back.
          latitude INTEGER CHECK (latitude BETWEEN -900000000 AND 900000000),
          longitude INTEGER CHECK (longitude BETWEEN -1800000000 AND 1799999999),
          geohash INTEGER NOT NULL DEFAULT 0 CHECK (geohash BETWEEN 0 AND 12),
          -- The record of the named place where a post or an event is.
          at_place BLOB CHECK (length(at_place) = 32),
          -- From within how many metres a post can be read; NULL if the reader decides.
          unlock INTEGER CHECK (unlock > 0),
          -- When a post was written, if that was before it was published.
          written INTEGER CHECK (written > 0),
          -- When a place is open, in words.
          hours TEXT NOT NULL DEFAULT '',
          starts INTEGER,
          ends INTEGER CHECK (ends >= starts),
          -- The date of the edit that applies.
          edited INTEGER,
          -- The photo: the root and size of its blob, its sides in pixels, and what it shows in words. The thumbnail is in the record.
          photo BLOB CHECK (length(photo) = 32),
          photo_size INTEGER CHECK ((photo_size IS NULL) = (photo IS NULL)),
          photo_width INTEGER CHECK ((photo_width IS NULL) = (photo IS NULL)),
          photo_height INTEGER CHECK ((photo_height IS NULL) = (photo IS NULL)),
          photo_words TEXT,
          likes INTEGER NOT NULL DEFAULT 0 CHECK (likes >= 0),
          comments INTEGER NOT NULL DEFAULT 0 CHECK (comments >= 0),
          attendees INTEGER NOT NULL DEFAULT 0 CHECK (attendees >= 0)
        ) STRICT;
        -- Lists of posts and events are read from an index alone, which for that has every column that they ask for.
        CREATE INDEX item_author ON item (author, date, record, expires, kind, state) WHERE kind = 4 AND state = 0;
        CREATE INDEX item_events_of_author ON item (author, date, record, expires, kind, state)
          WHERE kind = 8 AND state = 0;
        CREATE INDEX item_events_by_start ON item (author, starts, record, ends, expires, kind, state)
          WHERE kind = 8 AND state = 0;
        CREATE INDEX item_events ON item (id, starts, ends, expires, record, kind, state) WHERE kind = 8 AND state = 0;
        CREATE INDEX item_photos_of_author ON item (author, date, record, expires) WHERE photo IS NOT NULL AND state = 0;
        CREATE INDEX item_date ON item (date, record) WHERE (kind = 4 OR kind = 8 OR kind = 17) AND state = 0;
        CREATE INDEX item_places ON item (date, record) WHERE kind = 17 AND state = 0;
        CREATE INDEX item_parts ON item (parent, date, record) WHERE kind = 17 AND state = 0;
        CREATE INDEX item_comments ON item (parent, date, record) WHERE kind = 5;

        -- Where posts, events and places that can be shown are, in the order of `Cell`.
        CREATE TABLE spot (
          kind INTEGER NOT NULL CHECK (kind = 4 OR kind = 8 OR kind = 17),
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
          kind INTEGER NOT NULL CHECK (kind = 6 OR kind = 7 OR kind = 9),
          author INTEGER NOT NULL,
          record INTEGER NOT NULL,
          date INTEGER NOT NULL,
          holds INTEGER NOT NULL CHECK (holds IN (0, 1)),
          PRIMARY KEY (target, kind, author)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reaction_author ON reaction (author, kind, holds);

        -- Emoji (15) that hold, on lines and items.
        CREATE TABLE emoji (
          record INTEGER PRIMARY KEY REFERENCES record (seq) ON DELETE CASCADE,
          target BLOB NOT NULL CHECK (length(target) = 32),
          emoji TEXT NOT NULL,
          author INTEGER NOT NULL,
          -- The record's, so that they stand in one order everywhere.
          created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX emoji_target ON emoji (target, created);

        -- The newest pin (18) of each author in each public room, without removed pins.
        CREATE TABLE pin (
          record INTEGER PRIMARY KEY REFERENCES record (seq) ON DELETE CASCADE,
          -- The topic of the record.
          room BLOB NOT NULL,
          author INTEGER NOT NULL,
          -- From the record, where it is at most its arrival: a future date cannot keep a pin first.
          date INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX pin_room ON pin (room, date);

        -- What others did to a persona and its items: comments, and reactions that hold.
        CREATE TABLE activity (
          record INTEGER PRIMARY KEY REFERENCES record (seq) ON DELETE CASCADE,
          -- The persona's peer.seq.
          persona INTEGER NOT NULL,
          date INTEGER NOT NULL,
          kind INTEGER NOT NULL CHECK (kind = 5 OR kind = 6 OR kind = 7 OR kind = 9),
          -- What it was done to; NULL for a follow.
          item INTEGER REFERENCES item (record)
        ) STRICT;
        CREATE INDEX activity_date ON activity (persona, date, record);
        CREATE INDEX activity_item ON activity (item);

        CREATE TABLE profile (
          peer INTEGER PRIMARY KEY REFERENCES peer (seq),
          record INTEGER NOT NULL UNIQUE REFERENCES record (seq) ON DELETE CASCADE,
          name TEXT NOT NULL,
          about TEXT NOT NULL,
          -- 0xRRGGBB
          colour INTEGER CHECK (colour BETWEEN 0 AND 16777215),
          -- The photo: the root and size of its blob, its sides in pixels, and what it shows in words. The thumbnail is in the record.
          photo BLOB CHECK (length(photo) = 32),
          photo_size INTEGER CHECK ((photo_size IS NULL) = (photo IS NULL)),
          photo_width INTEGER CHECK ((photo_width IS NULL) = (photo IS NULL)),
          photo_height INTEGER CHECK ((photo_height IS NULL) = (photo IS NULL)),
          photo_words TEXT
        ) STRICT;
        CREATE INDEX profile_name ON profile (name);

        -- Words of posts, events and places that can be shown, and their first three letters: what many words begin with would
        -- else be gathered word by word.
        CREATE VIRTUAL TABLE words USING fts5 (
          title, text, place, content = 'item', content_rowid = 'record', tokenize = 'unicode61 remove_diacritics 2',
          prefix = '3'
        );

        -- Words of lines of public rooms and of their edits, each under its own number. Filled when somebody searches.
        CREATE VIRTUAL TABLE line_words USING fts5 (
          text, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '3'
        );

        -- How much of the quotas is used by rows that are filed.
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

        -- The same with rows that are not filed, to be summed.
        CREATE VIEW author_here AS
          SELECT author, records, bytes FROM usage_author
          UNION ALL SELECT author, 1, size FROM record WHERE \(unfiled);
        CREATE VIEW kind_here AS
          SELECT class, kind, records, bytes FROM usage_kind
          UNION ALL SELECT class, CASE WHEN kind BETWEEN 1 AND 15 OR kind BETWEEN 17 AND 20 THEN kind ELSE 0 END, 1, size
            FROM record WHERE \(unfiled);
        """
}
