package import LatticeAPI
import LatticeCore
import LatticeGeo

// Errors in the words of the terminal: what is wrong, and the command that helps.

extension RequestError {
    package var words: String {
        switch self {
        case .lineTooLong(let bytes, let max):
            "not sent: this line has \(bytes) bytes, and the limit is \(max); make it shorter"
        case .emptyLine: "the line is empty; write some text"
        case .tooManyLines(let max): "the number of lines must be 1 to \(max)"
        case .outboxFull(let lines):
            "not sent: \(lines) lines already wait to be delivered, the most there can be; try again when somebody is connected"
        case .messagesFull(let max):
            "not sent: \(max) messages already wait for the keys of their recipients, the most there can be"
        case .lineNotStored: "not sent: the line could not be stored"
        case .otherAudience(let room, true):
            "not sent: \(shown(room)) is private now; send it again if its members may read it"
        case .otherAudience(let room, false):
            "not sent: \(shown(room)) is no longer private; send it again if everybody may read it"
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
        case .messageToSelf: "you cannot send a message to yourself; name somebody else"
        case .tooManyRooms(let max): "you are in \(max) rooms, the most there can be; leave one first: /part #room"
        case .tooManyPrivateRooms(let max):
            "you are in \(max) private rooms, the most there can be; /forget one first"
        case .tooManyMutedRooms(let max): "\(max) rooms are muted, the most there can be; unmute one first"
        case .leftPrivateRoom(let room):
            "you left the private room \(room); /join \(room) enters the public room with that name"
        case .privateRoomExists(let room):
            "you already have a private room \(room); /join \(room) enters it, /forget \(room) deletes it"
        case .lobbyIsPublic: "#lobby is always public; choose another name for a private room"
        case .notPrivate(let room):
            "\(room) is a public room; /create #name makes a private one, /join #name KEY enters one"
        case .badKey(let fault): fault.words
        case .otherKey(let room):
            "you already have a private room \(room) with another key; if this key is right, use /forget \(room) first (it "
                + "deletes the lines of that room), or ask for an invitation"
        case .keyMissing(let room):
            "not sent: the key of the private room \(room) is missing; use /join \(room) KEY, ask for a new invitation, "
                + "or /forget \(room)"
        case .severalRooms(let room):
            "you have invitations to several rooms called \(room); /forget \(room) declines all of them, then ask "
                + "a member to invite you again"
        case .keyChanges(let room): "the key of \(room) keeps changing; send the line again"
        case .inviteSelf(let room): "you are already in \(room); name somebody else"
        case .removeSelf(let room): "to leave \(room) yourself, use /forget \(room)"
        case .notAMember(let room): "they are not in \(room); /members lists its members"
        case .roomFull(let room, let max): "\(room) has \(max) members, the most there can be"
        case .unknownPeer(let text):
            "I don't know anyone called \(DisplayText.isolated(text)); you can also give a full id (64 digits), as "
                + "'lattice id' prints it"
        case .ambiguousPeer(let people, let now):
            "several people have that name: \(PersonFacts.list(people, at: now)); say which one"
        case .tooManyPeople(let max):
            "you have \(max) contacts and other marked people, the most there can be; remove one first"
        case .followSelf: "you cannot follow yourself"
        case .blocked(let who): who.words
        case .noFolder(.people): "this node has no folder, so it remembers nobody"
        case .noFolder(.accounts): "this node has no folder, so it keeps no accounts"
        case .accountInUse(let account):
            "\(DisplayText.isolated(account)) is already logged in; log out there first"
        case .accountsFull(let max): "\(max) accounts are registered here, the most there can be"
        case .visitorsFull(let max): "\(max) people are logged in here, the most there can be; try again later"
        case .loginsBusy: "many people are logging in; try again in a minute"
        case .invalid(let faults): faults.map(\.words).joined(separator: "; ")
        case .unknownItem(let id): "there is nothing with the id \(id); it may have expired, or not arrived yet"
        case .ambiguousItem(let ids):
            "several ids begin with this: \(ids.joined(separator: ", ")); give more characters"
        case .notTheAuthor(let kind, let act): "only the author can \(act.rawValue) \(kind.one)"
        case .takenBack(let kind, let byParentAuthor):
            "this \(kind.rawValue) was deleted by \(byParentAuthor ? "the author of the post or event" : "its author") "
                + "and can no longer be changed"
        case .deletedMeanwhile: "it was deleted"
        case .notAnEvent(let kind): "this is a \(kind.rawValue), not an event; use 'edit' to change its text"
        case .attendNoEvent(let kind): "you can only attend an event; this is a \(kind.rawValue)"
        case .commentOnComment: "you cannot comment on a comment; comment on the post or event instead"
        case .tooFar: "this is too far away to read; get closer, or set your place: lattice here LAT,LON"
        case .placeNeeded: "which place? name one, or set yours once: lattice here LAT,LON"
        case .badPicture(let problem): problem.words
        case .badKeyFile: "this key file cannot be used here"
        case .photoNotHere: "nobody who is connected has this photo now; try again later"
        case .unknownPlace(let name, let similar): Self.unknownPlace(name, similar)
        case .similarPlaces(let places):
            "\(places.map(Self.shown).joined(separator: ", ")) is here already; add --anyway to make another one"
        case .unknownMap(let name): "there is no map '\(DisplayText.safe(name))'; 'map list' shows them"
        case .unknownDraft(let number): "you have no draft \(number); 'drafts' lists them"
        case .draftsFull(let max, let withPhotos):
            "you can keep \(max) drafts\(withPhotos ? " with photos" : ""); publish or delete some first"
        case .badPoints(let problem, let line): "line \(line): \(problem.words); nothing was imported"
        case .notAPlace(let kind): "this is \(kind.one), not a place"
        case .placeLost: "this post has lost its place; run 'lattice store rebuild'"
        case .refused(let reason): reason
        case .store(let fault): fault.words
        case .file(let fault): fault.words
        case .folderInUse(let path, let name, let process):
            "\(name.map(DisplayText.isolated) ?? path) is in use by \(process.map { "process \($0)" } ?? "another process"); "
                + (name == nil ? "give another folder with --data-dir" : "use another name with --name")
                + ", or end that process first"
        case .ownerOnly: "only the owner of this node can do that; ask them, or run your own node"
        case .stopped(let why): why.words
        case .clientsFull(let max):
            "\(max) programs are connected to this node, the most there can be; close one of them"
        case .noNeighbour: "nobody is connected who could pass the probe on; /peers shows who is connected"
        case .noAnswer(let seconds): "no answer within \(seconds) s"
        case .untrusted(let seconds):
            "no trustworthy answer within \(seconds) s: the one that came has a path with a missing signature"
        case .stream(let fault): fault.words
        case .feed(let fault): fault.words
        case .other(_, let message): message
        }
    }

    private func shown(_ room: RoomName) -> String { DisplayText.isolated(room.text) }
}

extension RequestError.Blocked {
    fileprivate var words: String {
        switch self {
        case .message(let peer): "you have blocked #\(peer.short), so it was not sent; unblock them first"
        case .messages(let peer): "you have blocked #\(peer.short), so your messages are hidden; unblock them first"
        case .stream: "you have blocked this person; unblock them first: 'lattice unblock' or /unblock"
        case .account: "the owner of this node has blocked this account"
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

extension RequestError.PointProblem {
    fileprivate var words: String {
        switch self {
        case .otherFormat: "this is neither GPX nor GeoJSON"
        case .tooLarge(let max): "the file is too large; the limit is \(ByteCountText.text(max))"
        case .cutOff: "the file ends in the middle; copy it again"
        case .notUTF8: "the file is not UTF-8"
        case .malformed(let reason): DisplayText.safe(reason)
        case .documentType: "a document type (DOCTYPE) is not read; remove it"
        case .entity(let name): "the entity '\(DisplayText.safe(name))' is not known"
        case .tooDeep(let max): "something in the file is nested more than \(max) levels deep"
        case .coordinates: "the coordinates are not a place on Earth"
        case .time: "the time is not a date such as 2026-12-01T18:00:00Z"
        case .tooManyBytes(let max): "a text of this point is too long; the limit is \(max) bytes"
        case .tooManyPoints(let max): "there are more than \(max) points"
        }
    }
}

extension RequestError.KeyFault {
    fileprivate var words: String {
        switch self {
        case .tooShort(let bytes, let min):
            "a key of \(bytes) bytes is easy to guess; use at least \(min), or let /create make one"
        case .tooLong(let bytes, let max): "a key has at most \(max) bytes, not \(bytes)"
        case .noMemory: "making the key of a room needs 64 MiB of memory, which this machine does not give"
        }
    }
}

extension RequestError {
    private static func unknownPlace(_ name: String, _ similar: [String]) -> String {
        let names = similar.map { "'\(DisplayText.safe($0))'" }.joined(separator: ", ")
        let hint = similar.isEmpty ? "'lattice places' lists those that are here" : "did you mean \(names)?"
        return "no place is called '\(DisplayText.safe(name))'; \(hint)"
    }

    /// `'Kitchen' (24aadb, 12 m away)`
    private static func shown(_ place: SimilarPlace) -> String {
        "'\(DisplayText.safe(place.name))' (\(place.short), \(DistanceText.string(place.metres)) away)"
    }
}

extension RequestError.Stopped {
    fileprivate var words: String {
        switch self {
        case .stopping: "this node is stopping"
        case .left: "you have left this node"
        case .noNode: "no node is running; start one with 'lattice chat'"
        case .cancelled: "the request was cancelled"
        case .ended: "the running lattice has ended; try again"
        case .endedUnanswered:
            "the lattice that this chat used ended before it answered; check whether it was done, and try again"
        case .notReplaced: "the lattice that this chat used has ended"
        case .otherVersion: "the running lattice is another version of this program; stop it and start it again"
        case .clientGone: "the client that asked is gone"
        }
    }
}

extension ItemInfo.Kind {
    fileprivate var one: String {
        switch self {
        case .event: "an event"
        case .post, .comment, .place: "a \(rawValue)"
        }
    }
}

extension FieldFault {
    package var words: String {
        switch self {
        case .notAnID(let given):
            "'\(DisplayText.safe(given))' is not an id; use the six characters shown in the list, such as 24aadb"
        case .notAnEmoji(let given):
            "'\(DisplayText.safe(given))' is not one emoji; give one, such as 👍"
        case .otherCursor: "this cursor does not belong to this list; use the one that the page before named"
        case .radius(let max): "the radius must be more than 0 and at most \(max) km"
        case .pageSize(let max): "a page has 1 to \(max) entries"
        case .noWord: "give a word to search for"
        case .isSelf: "that's you; name somebody else"
        case .emptyMessage: "the message is empty; write some text"
        case .empty(let text): "\(text.words) needs at least one visible character"
        case .tooManyCharacters(let text, let count, let max):
            "\(text.words) can have at most \(max) characters; this one has \(count)"
        case .tooManyBytes(let text, let count, let max):
            "\(text.words) can have at most \(max) bytes; this one has \(count)"
        case .noEventName: "give the event a name"
        case .unlock(let min, let max): "a post can be locked to \(min) m at least and \(max) km at most"
        case .slashInName: "the name of a place has no /; put it into another place with --in PLACE"
        case .tooManyEditors(let max): "a place can name at most \(max) people who may edit it"
        case .area(let min, let max): "the distance of an area is from \(min) m to \(max) km"
        case .textLength(let max): "the length of a text is 1 to \(max) characters"
        case .radiusChoices(let count, let max):
            "a card has at most \(count) reading distances, each from 1 m to \(max) km"
        case .tooManyPins(let max): "a card can name at most \(max) places"
        case .tooManyRooms(let max): "name at most \(max) rooms"
        case .privateRoom(let room):
            "\(DisplayText.isolated(room.text)) is private, and this would make its name public; its lines cross sealed, without being named"
        case .onlyNew(.editors): "who may edit a place is said when it is made"
        case .onlyNew: "a place stays in the place where it was made"
        case .noStart: "give the time when the event starts"
        case .startsTooLate(let days): "an event can start up to \(days) days from now"
        case .endsTooLate(let days): "an event can end up to \(days) days from now"
        case .endsBeforeStart: "an event cannot end before it starts"
        case .over: "this event ended more than a day ago"
        case .blur(let max): "blur must be 1 to \(max) characters of the geohash"
        case .noPlace: "a place is missing: add --at PLACE, or set yours first: lattice here PLACE"
        case .lifetime: "a post can be kept from one minute to one year"
        case .passwordBytes(let min, let max): "a password has \(min) to \(max) bytes"
        case .photoOfComment: "a comment cannot have a photo; add one to your post or event"
        case .originalOfProfile: "only a post or an event can have the original of its photo"
        case .originalOfDraft:
            "a draft keeps only the photo, not the original; leave out --original, or post without --draft"
        }
    }
}

extension FieldFault.Text {
    fileprivate var words: String {
        switch self {
        case .text: "a text"
        case .placeName: "a place name"
        case .about: "a profile text"
        case .eventName: "an event name"
        case .name: "the name of a place"
        case .category: "the kind of a place"
        case .hours: "the hours of a place"
        case .meshName: "the name of a mesh"
        case .meshAbout: "the description of a mesh"
        case .welcome: "the welcome line"
        case .rules: "the house rules"
        case .address: "an address"
        case .eventText: "an event text"
        case .photo: "the description of a photo"
        }
    }
}

extension StoreFault {
    package var words: String {
        switch self {
        case .cannotOpen(let path, let reason): "cannot open \(path): \(reason); give another folder with --data-dir"
        case .damaged(let path, let reason):
            "\(path) is damaged (\(reason)); run 'lattice store check' for details, 'lattice store rebuild' to repair it"
        case .tooNew(let path): "\(path) was created by a newer version of this program; use that version"
        case .diskFull(let path): "the disk of \(path) is full; nothing new is stored until there is space again"
        case .readOnly(let path):
            "cannot write to \(path); check the permissions of the folder, or give another one with --data-dir"
        case .busy(let path): "\(path) is in use by another process; try again in a moment"
        case .failed(let path, let reason): "\(path): \(reason)"
        case .missing: "this node has no store: it could not be opened"
        case .quotaFull: "the storage quota is used up"
        case .roomsUnknown:
            "only #lobby is open: the store cannot be read, and so I don't know which rooms are private; "
                + "run 'lattice store check'"
        case .unreadable: "the record was written and cannot be read again; run 'lattice store check'"
        case .alreadyExpired: "it has already expired; check this machine's clock with 'date'"
        }
    }
}

extension FileFault {
    var words: String {
        switch self {
        case .locked(let path): "another process is writing to \(path); try again"
        case .diskFull(let path): "cannot write \(path): the disk is full; free some space"
        case .tooLittleSpace(let path, let needed, let free):
            "this file needs \(ByteCountText.text(Int(needed))), and the disk of \(DisplayText.safe(path)) has "
                + "\(ByteCountText.text(Int(free))) free for files; free some space"
        case .readOnly(let path, let reason): "cannot write \(path): \(reason)"
        case .broken(let path, let reason): "\(path): \(reason); repair the file or move it away"
        case .badLine(let path, let line):
            "line \(line) of \(path) cannot be read; correct it, or delete it to give up the account"
        case .notPlain(let path, let use):
            "cannot \(use.rawValue) \(DisplayText.safe(path)): it is a folder, pipe or device; give the path of a regular file"
        case .failed(let path, let use, let reason, _):
            "cannot \(use.rawValue) \(DisplayText.safe(path)): \(reason)"
        case .notABundle(let path):
            "\(DisplayText.safe(path)): this is not a bundle of records; 'drafts import' reads points of GPX and GeoJSON"
        }
    }
}

extension FeedFailure {
    fileprivate var words: String {
        switch self {
        case .tooManyPuts(let max): "\(max) requests with records have no answer yet; wait for one"
        case .tooManyFeeds(let max): "\(max) feeds are open, the most there can be; end one first"
        case .positionGone: "this position is of another store; begin without one"
        case .notSent: "this position is beyond what was sent"
        case .unknown: "there is no feed with this number; subscribe again"
        }
    }
}

extension StreamFailure {
    fileprivate var words: String {
        switch self {
        case .unknown: "there is no stream with this number; open one, or listen for one"
        case .closedForSending: "this stream is closed for sending"
        case .overOnBothSides: "this stream has ended on both sides"
        case .givenUp: "this stream was given up here"
        case .noRoute: "this peer is not reachable; 'lattice peers' or /peers shows who is here"
        case .noAnswer: "this peer does not answer; check that its program is running, and try again"
        case .lost: "the connection to this peer was lost, and the last bytes may not have arrived; start again"
        case .unproven:
            "the other side could not prove who it is, or the data was changed on the way; nothing was accepted. "
                + "Try again, and warn the owners of the machines between you"
        case .provenWrongly:
            "the other side could not verify who you are: something between you changes the data; try again"
        case .nodeStopped: "the node on this side has stopped; start again"
        case .nobodyListens: "nobody listens there; the other side must run 'lattice pipe --listen' first"
        case .notForYou: "the program there accepts only somebody else; ask its owner to let you in"
        case .tooMany(let max): "\(max) streams are open here, the most there can be; close one first"
        case .tooManyThere: "too many streams are open on the other side; try again later"
        case .labelTaken(let label):
            "another program already listens for '\(label)'; end it, or use another label on both sides"
        case .hasReader: "another program already receives the data of this node"
        case .hasConnection(let stream): "another connection carries the bytes of stream \(stream)"
        case .stillBusy(let stream): "stream \(stream) is still busy with your last request; wait for its answer"
        case .tooLarge(let bytes, let max): "\(bytes) bytes are too many for one message; send at most \(max)"
        case .reset(.ended): "the program on the other side ended early"
        case .reset(.writeFailed): "the program on the other side could not write the data"
        case .reset(.diskFull): "the disk on the other side is full; start again when it has space"
        case .reset(.readerGone): "the reader on the other side has closed"
        case .reset(.readFailed): "the program on the other side could not read its input"
        case .endedThere: "the other side ended early"
        case .restartedThere: "the other side restarted and does not know this stream; start again"
        case .resetForOther: "the other side ended this stream for a reason that this version does not know"
        }
    }
}
