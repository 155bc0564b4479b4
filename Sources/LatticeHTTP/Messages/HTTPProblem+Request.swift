package import LatticeAPI
import LatticeCore

// Errors as problem reports: the page and programs show them, and neither has commands.

extension HTTPProblem {
    /// For people who are not the owner: what concerns the machine is said without its paths.
    package init(withoutPaths error: RequestError) {
        let whole = HTTPProblem(error)
        switch error {
        case .file, .store, .noFolder, .folderInUse:
            self.init(
                whole.status, whole.code, "The node cannot store or read this now. Tell the person who runs it.")
        default: self = whole
        }
    }
}

extension HTTPProblem {
    package init(_ error: RequestError) {
        guard error.code != .placeNeeded, error.faults != [.noPlace] else {
            self = Self.placeNeeded
            return
        }
        guard error.faults.isEmpty else {
            self = .invalid(
                error.faults.filter { $0 != .noPlace }.map { Fault($0.field.rawValue, $0.words) }
                    + (error.faults.contains(.noPlace) ? Self.placeFaults : []))
            return
        }
        self.init(Self.status(of: error.code), error.code.rawValue, Self.sentence(error.words))
        if case .similarPlaces(let places) = error { similar = places }
        if error.code == .notHere { headers["retry-after"] = "10" }
    }

    private static func status(of code: RequestError.Code) -> Int {
        switch code {
        case .unknownPeer, .unknownItem, .unknownStream, .unknownFeed: 404
        case .notTheAuthor, .tooFar, .wrongKey, .blocked, .notForYou: 403
        case .ambiguous, .otherAudience, .similar: 409
        case .takenBack, .positionGone: 410
        case .lineTooLong, .tooManyRooms, .invalid, .placeNeeded, .tooManyPeople, .badPicture, .draftsFull: 422
        case .untrusted: 502
        case .outboxFull, .noRoute, .readOnly, .damaged, .busy, .storeFailed, .stopped, .nobodyListens,
            .notHere, .streamReset, .streamLost:
            503
        case .noAnswer: 504
        case .diskFull: 507
        case .fileFailed, .other: 500
        }
    }
}

extension RequestError {
    /// Part of a sentence.
    var words: String {
        switch self {
        // Places, posts and events.
        case .placeNeeded: "a place is needed"
        case .unknownPlace(let name, let similar):
            "no place is called '\(DisplayText.safe(name))'"
                + (similar.first.map { "; did you mean '\(DisplayText.safe($0))'?" } ?? "")
        case .similarPlaces(let places):
            "\(places.map { "'\(DisplayText.safe($0.name))'" }.joined(separator: ", ")) is here already; send anyway to make another one"
        case .unknownMap(let name): "there is no map '\(DisplayText.safe(name))'; GET /v1/maps lists them"
        case .unknownDraft(let number): "there is no draft \(number); it may have been published or deleted"
        case .draftsFull(let max, let withPhotos):
            "you can keep \(max) drafts\(withPhotos ? " with photos" : ""); publish or delete some first"
        case .badPoints(_, let line): "line \(line) of this file cannot be read"
        case .notAPlace(let kind): "this is a \(kind.rawValue), not a place"
        case .placeLost: "this post has lost its place; rebuild the store"
        case .tooFar: "this is too far away to read; get closer, or set your place"
        case .invalid(let faults): faults.map(\.words).joined(separator: "; ")
        case .unknownItem(let id): "there is nothing with the id \(id); it may have expired, or not arrived yet"
        case .ambiguousItem(let ids):
            "several ids begin with this: \(ids.joined(separator: ", ")); give more characters"
        case .notTheAuthor(.event, let act): "only the author can \(act.rawValue) an event"
        case .notTheAuthor(let kind, let act): "only the author can \(act.rawValue) a \(kind.rawValue)"
        case .takenBack(let kind, false):
            "this \(kind.rawValue) was deleted by its author and can no longer be changed"
        case .takenBack(let kind, true):
            "this \(kind.rawValue) was deleted by the author of the post or event and can no longer be changed"
        case .deletedMeanwhile: "it was deleted"
        case .commentOnComment: "you cannot comment on a comment; comment on the post or event instead"
        case .attendNoEvent(let kind): "you can only attend an event; this is a \(kind.rawValue)"
        case .notAnEvent(let kind): "this is a \(kind.rawValue), not an event; only its text can be changed"
        case .refused(let reason): reason
        case .badPicture(let problem): problem.words
        case .badKeyFile(let problem): problem.words
        case .accountInUse: "this person is here already"
        case .photoNotHere: "nobody who is connected has this photo now; try again later"

        // Rooms.
        case .emptyLine: "the line is empty; write some text"
        case .lineTooLong(let bytes, let max):
            "not sent: this line has \(bytes) bytes, and the limit is \(max); make it shorter"
        case .lineNotStored: "not sent: the line could not be stored"
        case .outboxFull(let lines):
            "not sent: \(lines) lines already wait to be delivered, the most there can be; try again when somebody is connected"
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
        case .otherAudience(let room, let isPrivate):
            "not sent: \(shown(room)) is "
                + (isPrivate
                    ? "private now; send it again if its members may read it"
                    : "no longer private; send it again if everybody may read it")
        case .leftPrivateRoom(let room):
            "you left the private room \(shown(room)); join the public room with that name to write there"
        case .tooManyRooms(let max): "you are in \(max) rooms, the most there can be; leave one first"
        case .tooManyPrivateRooms(let max): "you are in \(max) private rooms, the most there can be"
        case .privateRoomExists(let room), .otherKey(let room): "you already have a private room \(shown(room))"
        case .lobbyIsPublic: "#lobby is always public; choose another name for a private room"
        case .notPrivate(let room): "\(shown(room)) is a public room"
        case .badKey: "this key cannot be the key of a room"
        case .keyMissing(let room):
            "the key of the private room \(shown(room)) is missing; ask a member for a new invitation"
        case .severalRooms(let room):
            "you have invitations to several rooms called \(shown(room)); ask a member to invite you again"
        case .keyChanges(let room): "the key of \(shown(room)) keeps changing; send the line again"

        // People.
        case .unknownPeer(let text):
            "I don't know anyone called \(DisplayText.isolated(text)); you can also give a full id (64 digits)"
        case .ambiguousPeer(let people, _):
            "several people have that name: \(people.prefix(8).map { "#\($0.id.short)" }.joined(separator: ", ")); "
                + "give an id"
        case .followSelf: "you cannot follow yourself"
        case .blocked: "you have blocked this person; unblock them first"

        // The node.
        case .store(let fault): fault.words
        case .file(let fault): fault.words
        case .ownerOnly: "only the owner of this node can do that; ask them, or run your own node"
        case .stopped(.stopping), .stopped(.left): "this node is stopping"
        case .stopped(.noNode): "no node is running"
        case .stopped(.cancelled), .stopped(.clientGone): "the request was cancelled"
        case .stopped(.ended), .stopped(.notReplaced): "the running node has ended; try again"
        case .stopped(.endedUnanswered): "the node ended before it answered; check whether it was done, and try again"
        case .stopped(.otherVersion):
            "the running node is another version of this program; stop it and start it again"
        case .other(_, let message): message

        // No route asks for what ends like this.
        case .tooManyLines, .messagesFull, .messageToSelf, .tooManyMutedRooms, .inviteSelf, .removeSelf, .notAMember,
            .roomFull, .tooManyPeople, .noFolder, .accountsFull, .visitorsFull, .loginsBusy,
            .folderInUse, .clientsFull, .noNeighbour, .noAnswer, .untrusted, .stream, .feed:
            "the node refused this (\(code.rawValue))"
        }
    }

    private func shown(_ room: RoomName) -> String { DisplayText.isolated(room.text) }
}

extension RequestError.KeyFileProblem {
    fileprivate var words: String {
        switch self {
        case .noKeyFile: "this is not a key file; use one that was saved here or made by 'lattice id export'"
        case .damaged: "this key file is damaged; save it again"
        case .wrongPassphrase: "the passphrase is not the one of this key file"
        case .tooCostly: "opening this key file takes too much work or memory"
        case .lost: "the key of this person is lost here; come in with the key file"
        case .isOfNode: "this is the key of the hub itself; its owner has a link of their own"
        }
    }
}

extension RequestError.PictureProblem {
    fileprivate var words: String {
        switch self {
        case .notAPicture: "this is not a picture that can be shown; use a JPEG, PNG or WebP file"
        case .damaged: "this picture is damaged; use another file"
        case .tooManyPixels: "this picture has too many pixels; the limit is 64 megapixels and 16,384 a side"
        case .tooLarge(let max): "this picture is too large; the limit is \(ByteCountText.text(max))"
        case .tooSlow: "reading this picture takes too long; use another file"
        case .failed(let reason): "the picture could not be read: \(DisplayText.safe(reason))"
        }
    }
}

extension FieldFault {
    fileprivate var words: String {
        switch self {
        case .noPlace: "a place is missing; give it in degrees"
        case .blur(let max): "blur must be 1 to \(max) characters of the geohash"
        case .radius(let max): "the radius must be more than 0 and at most \(max) km"
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
        case .endsBeforeStart: "an event cannot end before it starts"
        case .over: "this event ended more than a day ago"
        case .startsTooLate(let days): "an event can start up to \(days) days from now"
        case .endsTooLate(let days): "an event can end up to \(days) days from now"
        case .lifetime: "a post can be kept from one minute to one year"
        case .empty(let text): "\(text.words) needs at least one visible character"
        case .tooManyCharacters(let text, let count, let max):
            "\(text.words) can have at most \(max) characters; this one has \(count)"
        case .tooManyBytes(let text, let count, let max):
            "\(text.words) can have at most \(max) bytes; this one has \(count)"
        case .emptyMessage: "the message is empty; write some text"
        case .noWord: "give a word to search for"
        case .notAnID(let given):
            "'\(DisplayText.safe(given))' is not an id; use the six characters shown in the list, such as 24aadb"
        case .notAnEmoji(let given):
            "'\(DisplayText.safe(given))' is not one emoji; give one, such as 👍"
        case .otherCursor: "this page no longer exists; start again from the first one"
        case .pageSize(let max): "a page has 1 to \(max) entries"
        case .isSelf: "that's you; name somebody else"
        case .passwordBytes(let min, let max): "a password has \(min) to \(max) bytes"
        case .photoOfComment: "a comment cannot have a photo; add one to your post or event"
        case .originalOfDraft: "a draft keeps only the photo, not the original"
        case .originalOfProfile: "only a post or an event can have the original of its photo"
        }
    }
}

extension FieldFault.Text {
    fileprivate var words: String {
        switch self {
        case .about: "a profile text"
        case .address: "an address"
        case .eventName: "an event name"
        case .name: "the name of a place"
        case .category: "the kind of a place"
        case .hours: "the hours of a place"
        case .meshName: "the name of a mesh"
        case .meshAbout: "the description of a mesh"
        case .welcome: "the welcome line"
        case .rules: "the house rules"
        case .eventText: "an event text"
        case .photo: "the description of a photo"
        case .placeName: "a place name"
        case .text: "a text"
        }
    }
}

extension StoreFault {
    var words: String {
        switch self {
        case .missing: "this node has no store: it could not be opened"
        case .quotaFull: "the storage quota is used up"
        case .diskFull(let path): "the disk of \(path) is full; nothing new is stored until there is space again"
        case .readOnly(let path): "cannot write to \(path); check the permissions of the folder"
        case .busy(let path): "\(path) is in use by another process; try again in a moment"
        case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
        case .damaged(let path, let reason): "\(path) is damaged (\(reason)); rebuild the store"
        case .tooNew(let path): "\(path) was created by a newer version of this program; use that version"
        case .failed(let path, let reason): "\(path): \(reason)"
        case .roomsUnknown:
            "only #lobby is open: the store cannot be read, and so it is unknown which rooms are private"
        case .unreadable: "the record was written and cannot be read again; check the store"
        case .alreadyExpired: "it has already expired; check this machine's clock"
        }
    }
}

extension FileFault {
    var words: String {
        switch self {
        case .locked(let path): "another process is writing to \(path); try again"
        case .diskFull(let path): "cannot write \(path): the disk is full; free some space"
        case .tooLittleSpace(_, let needed, let free):
            "this file needs \(ByteCountText.text(Int(needed))), and the disk of the node has "
                + "\(ByteCountText.text(Int(free))) free for files; free some space there"
        case .readOnly(let path, let reason): "cannot write \(path): \(reason)"
        case .broken(let path, let reason), .failed(let path, _, let reason, _):
            "\(DisplayText.safe(path)): \(reason); repair the file or move it away"
        case .badLine(let path, _), .notPlain(let path, _), .notABundle(let path):
            "\(DisplayText.safe(path)) cannot be read"
        }
    }
}
