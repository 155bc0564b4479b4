extension Schema {
    /// What two peers need to find out what either lacks, and to agree on what neither keeps.
    static let catalogue = """
        -- All that is here, in the order in which it is compared.
        CREATE INDEX record_catalogue ON record (created, id, kind) WHERE erased = 0;

        -- What was removed from that index, by any process. A process with a copy in memory continues after the last number
        -- that it saw. The newest row is never removed, so numbers grow.
        CREATE TABLE removal (
          number INTEGER PRIMARY KEY,
          created INTEGER NOT NULL,
          id BLOB NOT NULL CHECK (length(id) = 32),
          kind INTEGER NOT NULL
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

        -- Where a line stands in its conversation: by when it was said, or, where that is more than seven days after it was
        -- first seen, by when that was. In the form of `created`; takes no room in the row.
        ALTER TABLE record ADD COLUMN turn INTEGER GENERATED ALWAYS AS (
          CASE WHEN (created >> 16) + 140737488355328 > date + 604800000
            THEN (max(date, 0) - 140737488355328) << 16 ELSE created END
        ) VIRTUAL;
        -- With the date, so that a room's keys are read from it alone.
        CREATE INDEX record_history ON record (topic, turn, id, created) WHERE kind = 1 AND erased = 0;

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

        -- Which file this is: its numbers mean nothing in another one.
        INSERT INTO setting (key, value) VALUES ('.epoch', lower(hex(randomblob(8))));
        """
}
