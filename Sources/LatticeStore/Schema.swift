import GRDB

/// The tables. No version was released, so nothing is migrated.
///
/// `peer`, `record`, `outbox`, `urgent` and `setting` are primary, and so are contacts, read positions, private messages, private
/// rooms and their keys, blobs and drafts. The tables in `derivedTables` follow from the records and can be rebuilt; `ledger` tells how far they lag. The rest
/// describes this store to others: what it had, and what it has evicted.
enum Schema {
    static let version = 1
    /// "Latt": distinguishes our files from other programs' databases.
    private static let applicationID = 0x4C61_7474

    /// The SQL of the first table begins with this in the file.
    static let signature = "CREATE TABLE record (\n  -- Never given twice"

    /// The state of a file, as its first pages tell.
    enum State {
        case empty
        case ours
        /// Written by a later version of this program.
        case newer
        case foreign
    }

    static func state(in database: Database) throws -> State {
        func number(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
        if try number("SELECT EXISTS (SELECT 1 FROM sqlite_schema)") == 0 { return .empty }
        guard try number("PRAGMA application_id") == applicationID else { return .foreign }
        return try number("PRAGMA user_version") > version ? .newer : .ours
    }

    static func make(in database: Database) throws {
        for part in [primary, local, messages, rooms, lineActs, blobs, DraftSchema.sql, derived] {
            try database.execute(sql: part)
        }
        try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }

    /// Profiles, likes, follows, attendances, prekeys, residences, emoji, pins, cards and words about crossing, in exactly the words of their
    /// partial index: only then does SQLite use it. A list of three or more numbers would make SQLite fill a temporary table for each row written.
    static let replaceable = """
        kind = 3 OR kind = 6 OR kind = 7 OR kind = 9 OR kind = 13 OR kind = 14 OR kind = 15 OR kind = 18
        OR kind = 19 OR kind = 20
        """

    /// Rows outside the partial indexes on `filed` and the tables of usage: fewer than `CommitState.unfiledMax`.
    static let unfiled = "seq > (SELECT filed FROM ledger)"

    /// Records, and what this machine adds to them.
    private static let primary = """
        CREATE TABLE record (
          -- Never given twice: a reader that continues after the last one seen misses nothing.
          seq INTEGER PRIMARY KEY,
          id BLOB NOT NULL CHECK (length(id) = 32),
          kind INTEGER NOT NULL,
          -- A `peer.seq`, without a reference: `usage_author` tells when nothing refers to it any more.
          author INTEGER NOT NULL,
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
          class INTEGER NOT NULL CHECK (class BETWEEN 0 AND 2),
          -- What counts against the quotas.
          size INTEGER NOT NULL CHECK (size > 0),
          -- 0 here, 1 taken back by its author, 2 by the author of what it is about.
          erased INTEGER NOT NULL DEFAULT 0 CHECK (erased BETWEEN 0 AND 2),
          -- 1 if it is in the indexes that say so, and counted in the tables of usage. Filing lags, so that a line costs few pages.
          filed INTEGER NOT NULL DEFAULT 0 CHECK (filed BETWEEN 0 AND 1),
          -- How it came into this store: 0 by the mesh or from here, 1 over NATS, 2 over MQTT, 3 by another program.
          via INTEGER NOT NULL DEFAULT 0 CHECK (via BETWEEN 0 AND 3),
          bytes BLOB,
          -- Where a line stands in its conversation: by when it was said, or, where that is more than seven days after it was
          -- first seen, by when that was. In the form of `created`; takes no room in the row.
          turn INTEGER GENERATED ALWAYS AS (
            CASE WHEN (created >> 16) + 140737488355328 > date + 604800000
              THEN (max(date, 0) - 140737488355328) << 16 ELSE created END
          ) VIRTUAL,
          CHECK ((bytes IS NULL) = (erased <> 0))
        ) STRICT;
        -- With what two peers compare.
        CREATE UNIQUE INDEX record_id ON record (id, created, kind, erased);
        -- With the date, so that a room's keys are read from it alone. Deleted lines leave a gap that is shown.
        CREATE INDEX record_history ON record (topic, turn, id, created, erased) WHERE kind = 1;
        -- A room's lines in the order of their arrival.
        CREATE INDEX record_room ON record (topic) WHERE kind = 1 AND erased = 0 AND filed = 1;
        CREATE INDEX record_leaving ON record (class, date, created, id) WHERE filed = 1;
        CREATE INDEX record_author ON record (author, date) WHERE filed = 1;
        CREATE INDEX record_expires ON record (expires) WHERE filed = 1;
        -- Only the newest of an author and topic is kept.
        CREATE UNIQUE INDEX record_replaceable ON record (author, kind, topic) WHERE \(replaceable);
        -- Edits and deletions by what they are about, the newest edit last.
        CREATE INDEX record_about ON record (topic, kind, created, id) WHERE kind IN (10, 11);
        -- Files, by when they were shared.
        CREATE INDEX record_manifest ON record (date) WHERE kind = 16 AND erased = 0;
        -- Files of posts and events.
        CREATE INDEX record_manifest_topic ON record (topic, author, date) WHERE kind = 16 AND erased = 0;
        -- To go on where one was.
        CREATE INDEX record_sealed ON record (seq) WHERE kind = 12;

        CREATE TABLE peer (
          seq INTEGER PRIMARY KEY,
          key BLOB NOT NULL UNIQUE CHECK (length(key) = 32)
        ) STRICT;

        CREATE TABLE ledger (
          one INTEGER PRIMARY KEY CHECK (one = 1),
          -- Up to which number rows are filed.
          filed INTEGER NOT NULL,
          -- The highest number ever given, as of the last filing.
          top INTEGER NOT NULL,
          -- The newest date of an own record or of what was seen of others', as of the last filing.
          clock INTEGER NOT NULL
        ) STRICT;
        INSERT INTO ledger VALUES (1, 0, 0, 0);

        -- Own records that no neighbour has confirmed.
        CREATE TABLE outbox (
          record INTEGER PRIMARY KEY REFERENCES record (seq) ON DELETE CASCADE
        ) STRICT;

        -- What was judged urgent when it came: lines and posts, at most a few per author and day. Rows stay after the record is deleted.
        CREATE TABLE urgent (
          id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 32),
          author BLOB NOT NULL CHECK (length(author) = 32),
          seen INTEGER NOT NULL,
          -- 1 if it came from a neighbour's store.
          fetched INTEGER NOT NULL CHECK (fetched BETWEEN 0 AND 1)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX urgent_seen ON urgent (seen);

        CREATE TABLE setting (
          key TEXT PRIMARY KEY NOT NULL,
          value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- Which file this is: its numbers mean nothing in another one.
        INSERT INTO setting (key, value) VALUES ('.epoch', lower(hex(randomblob(8))));
        """

    /// Removals, evictions, and the peers that this store reconciled with.
    private static let local = """
        -- What was removed or taken back, by any process. A process with a copy in memory continues after the last number
        -- that it saw. The newest row is never removed, so numbers grow.
        CREATE TABLE removal (
          number INTEGER PRIMARY KEY,
          created INTEGER NOT NULL,
          id BLOB NOT NULL CHECK (length(id) = 32),
          kind INTEGER NOT NULL,
          -- 1 of an author who was blocked: it may come back when that is over.
          may_return INTEGER NOT NULL DEFAULT 0 CHECK (may_return BETWEEN 0 AND 1)
        ) STRICT;
        CREATE TRIGGER record_removed AFTER DELETE ON record WHEN old.erased = 0 BEGIN
          INSERT INTO removal (created, id, kind) VALUES (old.created, old.id, old.kind);
        END;
        CREATE TRIGGER record_erased AFTER UPDATE OF erased ON record WHEN old.erased = 0 AND new.erased <> 0 BEGIN
          INSERT INTO removal (created, id, kind) VALUES (old.created, old.id, old.kind);
        END;
        -- 3 MB. A reader that is further behind loads anew, which costs no more.
        CREATE TRIGGER removal_trimmed AFTER INSERT ON removal BEGIN
          DELETE FROM removal WHERE number <= new.number - 50000;
        END;

        -- Up to where things of a class were let go for want of room: strangers' (circle 0), of those whom the owner follows (1),
        -- the owner's (2). They go by date, then by when they were made, then by id.
        CREATE TABLE floor (
          class INTEGER NOT NULL CHECK (class BETWEEN 0 AND 2),
          circle INTEGER NOT NULL CHECK (circle BETWEEN 0 AND 2),
          date INTEGER NOT NULL,
          created INTEGER NOT NULL,
          id BLOB NOT NULL CHECK (length(id) = 32),
          -- Nothing of this class and circle has an earlier date: the search for the oldest begins here.
          searched INTEGER NOT NULL,
          PRIMARY KEY (class, circle)
        ) STRICT, WITHOUT ROWID;
        -- The same of authors who wrote more than one may.
        CREATE TABLE author_floor (
          author INTEGER PRIMARY KEY REFERENCES peer (seq) ON DELETE CASCADE,
          date INTEGER NOT NULL,
          created INTEGER NOT NULL,
          id BLOB NOT NULL CHECK (length(id) = 32)
        ) STRICT;

        -- With whom this store was compared, and what came of it in all.
        CREATE TABLE compared (
          peer BLOB PRIMARY KEY NOT NULL CHECK (length(peer) = 32),
          date INTEGER NOT NULL,
          gained INTEGER NOT NULL,
          given INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
