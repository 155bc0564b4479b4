extension Schema {
    /// Kinds of records that may name a blob: profiles, posts, events, edits, manifests and places. Without a list: see `replaceable`.
    private static func mayNameBlob(_ row: String) -> String {
        [3, 4, 8, 10, 16, 17].map { "\(row).kind = \($0)" }.joined(separator: " OR ")
    }

    /// Deletes the uses of a row that is deleted, or whose content is.
    private static func usesEnd(with table: String, key: String, use: BlobUse.Kind, if names: (String) -> String)
        -> String
    {
        """
        CREATE TRIGGER blob_\(table)_gone AFTER DELETE ON \(table) WHEN \(names("old")) BEGIN
          DELETE FROM blob_use WHERE kind = \(use.rawValue) AND source = old.\(key);
        END;
        CREATE TRIGGER blob_\(table)_erased AFTER UPDATE OF erased ON \(table)
        WHEN new.erased <> 0 AND (\(names("new"))) BEGIN
          DELETE FROM blob_use WHERE kind = \(use.rawValue) AND source = new.\(key);
        END;
        """
    }

    /// Blobs, and why each is stored. The bytes of all but small ones are in files beside the store: `BlobFiles`.
    static let blobs = """
        CREATE TABLE blob (
          seq INTEGER PRIMARY KEY,
          root BLOB NOT NULL CHECK (length(root) = 32),
          size INTEGER NOT NULL CHECK (size BETWEEN 0 AND 34359738368),
          -- 1 once all its pieces are here.
          state INTEGER NOT NULL CHECK (state IN (0, 1)),
          -- 1 if it has no use: no peer gets it, and it will be removed.
          unused INTEGER NOT NULL DEFAULT 0 CHECK (unused IN (0, 1)),
          -- 0 own or asked for by a person, 1 contacts', 2 strangers', 3 passes by.
          class INTEGER NOT NULL CHECK (class BETWEEN 0 AND 3),
          -- Who is charged, as a `peer.seq`: the author, or the neighbour for whom it passes by.
          author INTEGER,
          -- Bytes on disk.
          held INTEGER NOT NULL CHECK (held >= 0),
          -- In hours since 1970, so that reading seldom writes.
          used INTEGER NOT NULL,
          bytes BLOB CHECK (bytes IS NULL OR (state = 1 AND length(bytes) = size AND size <= \(BlobTable.rowBytesMax))),
          UNIQUE (root, size)
        ) STRICT;
        CREATE INDEX blob_pending ON blob (seq) WHERE state = 0 OR unused = 1;
        CREATE INDEX blob_leaving ON blob (class, used, seq, held) WHERE held > 0;
        CREATE INDEX blob_author ON blob (author, class, used, seq, held) WHERE author IS NOT NULL;

        -- Reasons to store a blob.
        CREATE TABLE blob_use (
          blob INTEGER NOT NULL REFERENCES blob (seq) ON DELETE CASCADE,
          -- 0 a record, 1 a private message, 2 a person keeps it, 3 a draft, 4 it passes by, 5 a line of a private room.
          kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 5),
          -- A record.seq, message.number, room_line.number, or the number of a draft; else 0.
          source INTEGER NOT NULL,
          -- The `peer.seq` of who keeps it; else -1.
          persona INTEGER NOT NULL DEFAULT -1,
          -- When a draft ends, or what passes by.
          until INTEGER,
          PRIMARY KEY (blob, kind, source, persona)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX blob_use_source ON blob_use (kind, source);
        CREATE INDEX blob_use_persona ON blob_use (persona) WHERE persona >= 0;
        CREATE INDEX blob_use_until ON blob_use (until) WHERE until IS NOT NULL;

        -- Where a person wants files saved, and where they were saved.
        CREATE TABLE download (
          -- The id of the file.
          file BLOB NOT NULL CHECK (length(file) = 32),
          folder TEXT NOT NULL,
          blob INTEGER NOT NULL REFERENCES blob (seq) ON DELETE CASCADE,
          -- NULL until it is saved.
          path TEXT,
          PRIMARY KEY (file, folder)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX download_blob ON download (blob);

        \(usesEnd(with: "record", key: "seq", use: .record, if: mayNameBlob))
        \(usesEnd(with: "message", key: "number", use: .privateText) { _ in "TRUE" })
        \(usesEnd(with: "room_line", key: "number", use: .roomLine) { _ in "TRUE" })
        CREATE TRIGGER blob_unused AFTER DELETE ON blob_use
        WHEN NOT EXISTS (SELECT 1 FROM blob_use WHERE blob = old.blob) BEGIN
          UPDATE blob SET unused = 1 WHERE seq = old.blob;
        END;
        CREATE TRIGGER blob_used AFTER INSERT ON blob_use BEGIN
          UPDATE blob SET unused = 0 WHERE seq = new.blob AND unused = 1;
        END;

        -- The author of a private message learns that its file is complete here.
        CREATE TRIGGER blob_of_message_complete AFTER UPDATE OF state ON blob WHEN new.state = 1 AND old.state = 0 BEGIN
          UPDATE message SET file_state = 1 WHERE mine = 0 AND file_state = 0
            AND number IN (SELECT source FROM blob_use WHERE blob = new.seq AND kind = \(BlobUse.Kind.privateText.rawValue));
        END;
        CREATE TRIGGER blob_of_message_here AFTER INSERT ON blob_use
        WHEN new.kind = \(BlobUse.Kind.privateText.rawValue)
          AND EXISTS (SELECT 1 FROM blob WHERE seq = new.blob AND state = 1) BEGIN
          UPDATE message SET file_state = 1 WHERE mine = 0 AND file_state = 0 AND number = new.source;
        END;
        """
}
