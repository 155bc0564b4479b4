extension Schema {
    /// The persona that a row belongs to; empty for the owner.
    static let person = "BLOB NOT NULL DEFAULT x'' CHECK (length(person) = 0 OR length(person) = 32)"

    /// Private messages of each persona, the keys to them, marks on people, and read positions.
    static let messages = """
        -- Who wrote through the owner's node: they are notified of what others do to their items.
        CREATE TABLE persona (
          key BLOB PRIMARY KEY NOT NULL CHECK (length(key) = 32)
        ) STRICT, WITHOUT ROWID;

        -- Who has spoken through the owner's node and has keys for private messages, and the last record that was opened
        -- for them.
        CREATE TABLE visitor (
          person BLOB PRIMARY KEY NOT NULL CHECK (length(person) = 32),
          opened INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- How each visitor marked people. The owner's marks are in a file, as they hold in all meshes.
        CREATE TABLE contact (
          person BLOB NOT NULL CHECK (length(person) = 32),
          peer BLOB NOT NULL CHECK (length(peer) = 32),
          -- The last name it was known by.
          name TEXT,
          petname TEXT,
          added INTEGER,
          verified INTEGER,
          blocked INTEGER,
          ignored INTEGER,
          PRIMARY KEY (person, peer)
        ) STRICT, WITHOUT ROWID;

        -- Rooms that each visitor muted. The owner's are in the same file as the marks.
        CREATE TABLE muted_room (
          person BLOB NOT NULL CHECK (length(person) = 32),
          room TEXT NOT NULL,
          PRIMARY KEY (person, room)
        ) STRICT, WITHOUT ROWID;

        -- How many bytes each visitor shared and fetched on a day, in days since 1970; rows of earlier days are removed.
        CREATE TABLE visitor_day (
          person BLOB NOT NULL CHECK (length(person) = 32),
          day INTEGER NOT NULL,
          bytes INTEGER NOT NULL CHECK (bytes >= 0),
          PRIMARY KEY (person, day)
        ) STRICT, WITHOUT ROWID;

        -- How far each persona has read: the number of a line, after which everything that arrived is unread.
        CREATE TABLE read_position (
          person \(person),
          -- 1 a public room, 2 a private one, 3 private messages; 4 and 5 what was seen of activity and notification.
          kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 5),
          -- The room's name; the id of its first key; the key of the other person; empty for 4 and 5.
          conversation BLOB NOT NULL,
          -- A record.seq, room_line.number, message.number, activity.record or notification.number.
          upto INTEGER NOT NULL,
          PRIMARY KEY (person, kind, conversation)
        ) STRICT, WITHOUT ROWID;

        -- What each persona was notified of besides activity; the words stay where they were said.
        CREATE TABLE notification (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          person \(person),
          -- 1 a mention, 2 private messages, 3 an answer, 4 an emoji, 5 a post of somebody whom the persona follows, 10 an
          -- urgent line or post.
          kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 5 OR kind = 10),
          -- The line, message or post; with 4 the persona's own line.
          subject BLOB NOT NULL CHECK (length(subject) = 32),
          author BLOB NOT NULL CHECK (length(author) = 32),
          date INTEGER NOT NULL,
          -- NULL for private messages and posts.
          room TEXT,
          -- Whether the room is a private one.
          private INTEGER NOT NULL CHECK (private BETWEEN 0 AND 1),
          -- Empty for all but 4.
          emoji TEXT NOT NULL,
          -- 1 once the persona has dismissed what is urgent.
          dismissed INTEGER NOT NULL DEFAULT 0 CHECK (dismissed BETWEEN 0 AND 1),
          UNIQUE (person, kind, subject, author, emoji)
        ) STRICT;
        CREATE INDEX notification_date ON notification (person, date, number);
        CREATE INDEX notification_kind ON notification (person, kind, number);

        -- Kinds that a persona is not notified of: 1 to 5 and 10 as above, 6 to 9 comments, likes, follows, attendances.
        CREATE TABLE notification_off (
          person \(person),
          kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 10),
          PRIMARY KEY (person, kind)
        ) STRICT, WITHOUT ROWID;

        -- Prekeys, as long as they open anything. What is deleted here is overwritten.
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
          replaced INTEGER CHECK (replaced IS NULL OR rotating = 1),
          person \(person)
        ) STRICT;
        CREATE INDEX prekey_person ON prekey (person, made, id);

        -- What was said between one person and one other, opened.
        CREATE TABLE message (
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
          -- The record that brought it first, if it is stored under another id because it was sealed anew.
          origin BLOB CHECK (length(origin) = 32),
          -- The line that it answers.
          reply BLOB CHECK (length(reply) = 32),
          -- The file that it sends, as field 9 of the line, and the id of that file.
          file BLOB,
          file_id BLOB CHECK (length(file_id) = 32),
          -- 1 once the file of another's line is complete here, 2 once that was confirmed. Of an own line 2 once the other has it.
          file_state INTEGER NOT NULL DEFAULT 0 CHECK (file_state BETWEEN 0 AND 2),
          edited INTEGER NOT NULL DEFAULT 0 CHECK (edited BETWEEN 0 AND 1),
          -- 1 once its author has deleted it; then the text is empty.
          erased INTEGER NOT NULL DEFAULT 0 CHECK (erased BETWEEN 0 AND 1),
          -- To which of the other's prekeys it was sealed.
          prekey INTEGER,
          -- 0 waiting, 1 relayed, 2 delivered, 3 lapsed.
          state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
          -- Its author does not know yet that it was opened.
          owes INTEGER NOT NULL CHECK (owes BETWEEN 0 AND 1),
          -- The process that wrote it; other processes announce it.
          writer INTEGER NOT NULL,
          person \(person),
          UNIQUE (record, person)
        ) STRICT;
        CREATE INDEX message_peer ON message (person, peer, number);
        CREATE INDEX message_person ON message (person, number);
        CREATE INDEX message_open ON message (person, expires) WHERE mine = 1 AND state < 2;
        CREATE INDEX message_owed ON message (person, peer, number) WHERE owes = 1;
        CREATE INDEX message_origin ON message (origin) WHERE origin IS NOT NULL;
        CREATE INDEX message_file ON message (person, number) WHERE file_id IS NOT NULL;
        CREATE INDEX message_file_owed ON message (person, peer, number) WHERE file_state = 1 AND file_id IS NOT NULL;
        CREATE INDEX message_file_id ON message (person, file_id) WHERE file_id IS NOT NULL;
        CREATE INDEX message_prekey ON message (peer, prekey) WHERE prekey IS NOT NULL;

        -- Further records with the same line: it was sealed again, or is stored under another id.
        CREATE TABLE message_copy (
          message INTEGER NOT NULL REFERENCES message (number) ON DELETE CASCADE,
          record BLOB NOT NULL CHECK (length(record) = 32),
          PRIMARY KEY (message, record)
        ) STRICT, WITHOUT ROWID;
        """
}
