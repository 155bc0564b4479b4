import LatticeAPI
import LatticeCore

// Errors in the words of IRC: what is wrong, and the command of a client, or of `mesh`, that helps.

extension RequestError {
    var words: String {
        switch self {
        case .lineTooLong(let bytes, let max):
            "this line has \(bytes) bytes, and the limit is \(max); make it shorter"
        case .emptyLine: "the line is empty; write some text"
        case .tooManyLines(let max): "the number of lines must be 1 to \(max)"
        case .outboxFull(let lines):
            "\(lines) lines already wait to be delivered, the most there can be; try again when somebody is connected"
        case .messagesFull(let max):
            "\(max) messages already wait for the keys of their recipients, the most there can be"
        case .unknownMap(let name): "there is no map '\(DisplayText.safe(name))'"
        case .unknownDraft(let number): "you have no draft \(number)"
        case .draftsFull(let max, _): "you can keep \(max) drafts"
        case .badPoints(_, let line): "line \(line) of this file cannot be read"
        case .lineNotStored: "the line could not be stored"
        case .otherAudience(let room, true): "\(shown(room)) is private now; send it again if its members may read it"
        case .otherAudience(let room, false):
            "\(shown(room)) is no longer private; send it again if everybody may read it"
        case .messageToSelf: "you cannot send a message to yourself; name somebody else"
        case .tooManyRooms(let max): "you are in \(max) rooms, the most there can be; leave one first: PART #room"
        case .tooManyPrivateRooms(let max):
            "you are in \(max) private rooms, the most there can be; leave one for good first: /msg mesh forget #room"
        case .tooManyMutedRooms(let max): "\(max) rooms are muted, the most there can be"
        case .leftPrivateRoom(let room):
            "you left the private room \(room); JOIN \(room) enters the public room with that name"
        case .privateRoomExists(let room):
            "you already have a private room \(room); JOIN \(room) enters it, /msg mesh forget \(room) deletes it"
        case .lobbyIsPublic: "#lobby is always public; choose another name for a private room"
        case .notPrivate(let room):
            "\(room) is a public room; /msg mesh create #name makes a private one, JOIN #name KEY enters one"
        case .badKey(let fault): fault.words
        case .otherKey(let room):
            "you already have a private room \(room) with another key; if this key is right, use /msg mesh forget \(room) "
                + "first (it deletes the lines of that room), or ask for an invitation"
        case .keyMissing(let room):
            "the key of the private room \(room) is missing; use JOIN \(room) KEY, ask for a new invitation, or "
                + "/msg mesh forget \(room)"
        case .severalRooms(let room):
            "you have invitations to several rooms called \(room); /msg mesh forget \(room) declines all of them, then "
                + "ask a member to invite you again"
        case .keyChanges(let room): "the key of \(room) keeps changing; send the line again"
        case .inviteSelf(let room): "you are already in \(room); name somebody else"
        case .removeSelf(let room): "to leave \(room) for good, use /msg mesh forget \(room)"
        case .notAMember(let room): "they are not in \(room); NAMES lists its members"
        case .roomFull(let room, let max): "\(room) has \(max) members, the most there can be"
        case .unknownPeer(let text):
            "I don't know anyone called \(DisplayText.isolated(text)); you can also give a full id (64 digits)"
        case .ambiguousPeer(let people, _):
            "several people have that name: \(people.prefix(8).map(Self.shown).joined(separator: ", ")); say which one"
        case .tooManyPeople(let max): "\(max) people are marked here, the most there can be"
        case .followSelf: "you cannot follow yourself"
        case .blocked(.message(let peer)): "you have blocked #\(peer.short); unblock them first"
        case .blocked(.messages(let peer)):
            "you have blocked #\(peer.short), so your messages are hidden; unblock them first"
        case .blocked(.stream): "you have blocked this person; unblock them first"
        case .blocked(.account): "the owner of this node has blocked this account"
        case .noFolder(.people): "this node has no folder, so it remembers nobody"
        case .noFolder(.accounts): "this node has no folder, so it keeps no accounts"
        case .accountInUse(let account): "\(DisplayText.isolated(account)) is already logged in; log out there first"
        case .accountsFull(let max): "\(max) accounts are registered here, the most there can be"
        case .visitorsFull(let max): "\(max) people are logged in here, the most there can be; try again later"
        case .loginsBusy: "many people are logging in; try again in a minute"
        case .unknownLine:
            "there is no such line in a public room here; it may have expired, or not arrived yet"
        case .notYourLine(let act): "only the author can \(act.rawValue) a line"
        case .lineDeleted: "this line was deleted by its author"
        case .filesOfDayFull(let max):
            "this file would exceed your \(max >> 20) MiB for today; try again after midnight UTC"
        case .fileTooLarge(let max): "the file is too large; the limit here is \(max >> 20) MiB"
        case .uploadsFull(let max): "\(max) uploads are under way, the most there can be; wait until one ends"
        case .wrongOffset(let expected): "\(expected) bytes of this upload have come; continue there"
        case .uploadBusy: "the bytes before are being stored; send the next ones when that is answered"
        case .otherUpload:
            "this upload was begun for something else; begin another one"
        case .invalid(let faults): faults.map(\.words).joined(separator: "; ")
        case .unknownItem(let id): "there is nothing with the id \(id); it may have expired, or not arrived yet"
        case .ambiguousItem(let ids):
            "several ids begin with this: \(ids.joined(separator: ", ")); give more characters"
        case .notTheAuthor: "only the author can do that"
        case .takenBack(let kind, _): "this \(kind.rawValue) was deleted and can no longer be changed"
        case .deletedMeanwhile: "it was deleted"
        case .notAnEvent(let kind): "this is a \(kind.rawValue), not an event"
        case .attendNoEvent(let kind): "you can only attend an event; this is a \(kind.rawValue)"
        case .commentOnComment: "you cannot comment on a comment; comment on the post or event instead"
        case .tooFar: "this is too far away to read; get closer, or set your place: /msg mesh here LAT,LON"
        case .placeNeeded: IRCService.placeUnknown
        case .unknownPlace(let name, _):
            "no place here is called \(DisplayText.isolated(name)); /msg mesh places lists them"
        case .similarPlaces: "a place like this is here already"
        case .notAPlace(let kind): "this is a \(kind.rawValue), not a place"
        case .placeLost: "this post has lost its place"
        case .badKeyFile: "this key file cannot be used"
        case .badPicture(.tooLarge), .badPicture(.tooManyPixels): "this picture is too large"
        case .badPicture: "this is not a picture that can be shown; use a JPEG, PNG or WebP file"
        case .photoNotHere: "nobody who is connected has this photo now; try again later"
        case .refused(let reason): reason
        case .store(let fault): fault.words
        case .file(let fault): fault.words
        case .folderInUse: "another process uses the folder of this node"
        case .ownerOnly: "only the owner of this node can do that; ask them, or run your own node"
        case .stopped(.left): "you have left this node"
        case .stopped(.cancelled), .stopped(.clientGone): "the request was cancelled"
        case .stopped(.stopping), .stopped(.noNode), .stopped(.ended), .stopped(.endedUnanswered),
            .stopped(.notReplaced), .stopped(.otherVersion):
            "this node is stopping"
        case .clientsFull(let max): "\(max) programs are connected to this node, the most there can be"
        case .noNeighbour, .stream(.noRoute):
            "nobody is connected who could pass it on; /msg mesh peers shows who is here"
        case .noAnswer(let seconds), .untrusted(let seconds): "no trustworthy answer within \(seconds) s"
        case .stream: "the connection to this person ended"
        case .feed: "the node could not copy its records"
        case .other(_, let message): message
        }
    }

    private func shown(_ room: RoomName) -> String { DisplayText.isolated(room.text) }

    private static func shown(_ person: KnownPerson) -> String {
        "\(DisplayText.isolated((person.petname ?? person.name)?.withoutMarks ?? ""))#\(person.id.short)"
    }
}

extension RequestError.KeyFault {
    fileprivate var words: String {
        switch self {
        case .tooShort(let bytes, let min):
            "a key of \(bytes) bytes is easy to guess; use at least \(min), or let /msg mesh create #room make one"
        case .tooLong(let bytes, let max): "a key has at most \(max) bytes, not \(bytes)"
        case .noMemory: "making the key of a room needs 64 MiB of memory, which this machine does not give"
        }
    }
}

extension FieldFault {
    fileprivate var words: String {
        switch self {
        case .notAnID(let given):
            "'\(DisplayText.safe(given))' is not an id; use the six characters shown in the list, such as 24aadb"
        case .notAnEmoji(let given):
            "'\(DisplayText.safe(given))' is not one emoji; give one, such as 👍"
        case .otherCursor: "this page no longer exists; start again from the first one"
        case .radius(let max): "the radius must be more than 0 and at most \(max) km"
        case .pageSize(let max): "a page has 1 to \(max) entries"
        case .noWord: "give a word to search for"
        case .isSelf: "that's you; name somebody else"
        case .emptyMessage: "the message is empty; write some text"
        case .empty: "write at least one visible character"
        case .tooManyCharacters(_, let count, let max): "this has \(count) characters, and the limit is \(max)"
        case .tooManyBytes(_, let count, let max): "this has \(count) bytes, and the limit is \(max)"
        case .noEventName: "give the event a name"
        case .unlock(let min, let max): "a post can be locked to \(min) m at least and \(max) km at most"
        case .slashInName: "the name of a place has no /"
        case .tooManyEditors(let max): "a place can name at most \(max) people who may edit it"
        case .area(let min, let max): "the distance of an area is from \(min) m to \(max) km"
        case .textLength(let max): "the length of a text is 1 to \(max) characters"
        case .radiusChoices(let count, let max):
            "a card has at most \(count) reading distances, each from 1 m to \(max) km"
        case .tooManyPins(let max): "a card can name at most \(max) places"
        case .tooManyRooms(let max): "name at most \(max) rooms"
        case .privateRoom(let room):
            "\(DisplayText.isolated(room.text)) is private, and this would make its name public"
        case .onlyNew: "this can only be said when a place is made"
        case .noStart: "give the time when the event starts"
        case .startsTooLate(let days), .endsTooLate(let days): "an event can be up to \(days) days from now"
        case .endsBeforeStart: "an event cannot end before it starts"
        case .over: "this event ended more than a day ago"
        case .blur(let max): "blur must be 1 to \(max) characters of the geohash"
        case .noPlace: IRCService.placeUnknown
        case .lifetime: "a post can be kept from one minute to one year"
        case .passwordBytes(let min, let max): "a password has \(min) to \(max) bytes"
        case .photoOfComment: "a comment cannot have a photo; add one to your post or event"
        case .originalOfProfile: "only a post or an event can have the original of its photo"
        case .originalOfDraft: "a draft keeps only the photo, not the original"
        }
    }
}

extension StoreFault {
    /// Only the owner can repair the store.
    var words: String {
        switch self {
        case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
        case .damaged(let path, let reason): "\(path) is damaged (\(reason)); the owner of this node can repair it"
        case .tooNew(let path): "\(path) was created by a newer version of this program"
        case .diskFull(let path): "the disk of \(path) is full; nothing new is stored until there is space again"
        case .readOnly(let path): "cannot write to \(path); the owner of this node can change its permissions"
        case .busy(let path): "\(path) is in use by another process; try again in a moment"
        case .failed(let path, let reason): "\(path): \(reason)"
        case .missing: "this node has no store: it could not be opened"
        case .quotaFull: "the storage quota is used up"
        case .roomsUnknown:
            "only #lobby is open: the store cannot be read, and so I don't know which rooms are private; the owner of "
                + "this node can check it"
        case .unreadable: "it was written and cannot be read again; the owner of this node can check the store"
        case .alreadyExpired: "it has already expired; the clock of this machine is wrong"
        }
    }
}

extension FileFault {
    var words: String {
        switch self {
        case .locked(let path): "another process is writing to \(path); try again"
        case .diskFull(let path): "cannot write \(path): the disk is full"
        case .tooLittleSpace(_, let needed, let free):
            "this file needs \(ByteCountText.text(Int(needed))), and the disk has \(ByteCountText.text(Int(free))) free for files"
        case .readOnly(let path, let reason): "cannot write \(path): \(reason)"
        case .broken(let path, let reason): "\(path): \(reason)"
        case .badLine(let path, let line): "line \(line) of \(path) cannot be read"
        case .notPlain(let path, _): "\(DisplayText.safe(path)) is not a regular file"
        case .failed(let path, _, let reason, _): "\(DisplayText.safe(path)): \(reason)"
        case .notABundle(let path): "\(DisplayText.safe(path)) is not a bundle of records"
        }
    }
}
