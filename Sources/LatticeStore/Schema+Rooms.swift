extension Schema {
    /// What was done to sealed lines, in private rooms and in private messages.
    static let lineActs = """
        CREATE TABLE line_act (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          person \(person),
          -- 2 a private room, 3 private messages, as in `read_position`.
          scope INTEGER NOT NULL CHECK (scope BETWEEN 2 AND 3),
          -- The id of the room's first key; the key of the other person.
          place BLOB NOT NULL CHECK (length(place) = 32),
          -- The record that brought the line first.
          line BLOB NOT NULL CHECK (length(line) = 32),
          author BLOB NOT NULL CHECK (length(author) = 32),
          -- 1 an edit, 2 a deletion, 3 an emoji.
          kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
          emoji TEXT NOT NULL,
          -- 0 if the emoji was taken back.
          holds INTEGER NOT NULL CHECK (holds BETWEEN 0 AND 1),
          -- The text of an edit while it waits for its line, else empty.
          body BLOB NOT NULL,
          -- 1 while it waits for its line.
          waits INTEGER NOT NULL CHECK (waits BETWEEN 0 AND 1),
          created INTEGER NOT NULL,
          -- NULL until it is sealed.
          record BLOB CHECK (length(record) = 32),
          UNIQUE (person, scope, place, line, author, kind, emoji)
        ) STRICT;
        CREATE INDEX line_act_waiting ON line_act (person, number) WHERE waits = 1;
        CREATE INDEX line_act_author ON line_act (person, author, number) WHERE waits = 1;
        CREATE INDEX line_act_emoji ON line_act (scope) WHERE kind = 3;
        CREATE INDEX line_act_unsealed ON line_act (person, number) WHERE record IS NULL;
        """

    /// Private rooms of each persona: keys, members, lines.
    static let rooms = """
        -- Which rooms are private here stands in `setting` as well, which is saved of a damaged file: nothing for them goes out in clear.
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
          -- 0 says, 1 acts; 2 more for a notice.
          style INTEGER NOT NULL CHECK (style BETWEEN 0 AND 3),
          -- The record's.
          turn INTEGER NOT NULL,
          date INTEGER NOT NULL,
          late INTEGER NOT NULL CHECK (late BETWEEN 0 AND 1),
          -- The line that it answers.
          reply BLOB CHECK (length(reply) = 32),
          -- The file that it sends, as field 9 of the line, and the id of that file.
          file BLOB,
          file_id BLOB CHECK (length(file_id) = 32),
          edited INTEGER NOT NULL DEFAULT 0 CHECK (edited BETWEEN 0 AND 1),
          -- 1 once its author has deleted it; then the text is empty.
          erased INTEGER NOT NULL DEFAULT 0 CHECK (erased BETWEEN 0 AND 1),
          UNIQUE (record, room)
        ) STRICT;
        CREATE INDEX room_line_turn ON room_line (room, turn, record);
        CREATE INDEX room_line_file ON room_line (room, number) WHERE file_id IS NOT NULL;
        CREATE INDEX room_line_file_id ON room_line (file_id) WHERE file_id IS NOT NULL;

        -- The newest pin of each author in each private room, also if it was removed.
        CREATE TABLE room_pin (
          room INTEGER NOT NULL REFERENCES room (number) ON DELETE CASCADE,
          author BLOB NOT NULL CHECK (length(author) = 32),
          name TEXT NOT NULL,
          -- NULL for a pinned text and for a removed pin.
          line BLOB CHECK (length(line) = 32),
          -- Empty for a pinned line and for a removed pin.
          text TEXT NOT NULL,
          date INTEGER NOT NULL,
          created INTEGER NOT NULL,
          record BLOB NOT NULL CHECK (length(record) = 32),
          PRIMARY KEY (room, author)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX room_pin_date ON room_pin (room, date);

        -- Keys that came by private message and were not taken: invitations, and what waits for another one.
        CREATE TABLE room_offer (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          author BLOB NOT NULL CHECK (length(author) = 32),
          name TEXT NOT NULL,
          id BLOB NOT NULL CHECK (length(id) = 32),
          -- 1 an invitation, 2 what follows a key.
          purpose INTEGER NOT NULL CHECK (purpose BETWEEN 1 AND 2),
          -- All that the private message says.
          sealed BLOB NOT NULL,
          told INTEGER NOT NULL DEFAULT 0 CHECK (told BETWEEN 0 AND 1),
          person \(person),
          UNIQUE (person, author, id, purpose)
        ) STRICT;

        -- Who still gets a key; until it is sealed for them.
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
}
