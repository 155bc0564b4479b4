/// Posts that nobody has seen: each persona's own.
enum DraftSchema {
    static let sql = """
        CREATE TABLE draft (
          -- Never given twice: a draft that was changed or made anew meanwhile is not published or removed in its place.
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          person \(Schema.person),
          -- Its author names it by this number.
          number INTEGER NOT NULL CHECK (number > 0),
          written INTEGER NOT NULL,
          -- How long the post will last, in seconds; NULL if its author has not said.
          lifetime INTEGER CHECK (lifetime BETWEEN 60 AND 31536000),
          -- The body of the post.
          body BLOB NOT NULL,
          -- The blob of its photo; NULL if it has none.
          photo BLOB CHECK (length(photo) = 32),
          photo_size INTEGER CHECK ((photo_size IS NULL) = (photo IS NULL)),
          UNIQUE (person, number)
        ) STRICT;
        CREATE INDEX draft_written ON draft (person, written, number);

        -- Uploads have positive numbers.
        CREATE TRIGGER blob_of_draft AFTER INSERT ON draft
        WHEN EXISTS (SELECT 1 FROM blob WHERE root = new.photo AND size = new.photo_size) BEGIN
          INSERT INTO blob_use (blob, kind, source) VALUES (
            (SELECT seq FROM blob WHERE root = new.photo AND size = new.photo_size),
            \(BlobUse.Kind.draft.rawValue), -new.seq);
        END;
        CREATE TRIGGER blob_of_draft_gone AFTER DELETE ON draft WHEN old.photo IS NOT NULL BEGIN
          DELETE FROM blob_use WHERE kind = \(BlobUse.Kind.draft.rawValue) AND source = -old.seq;
        END;
        """
}
