package import LatticeCore

/// Why a request was not carried out, as values: each front has its own words for it.
package enum RequestError: Error, Hashable, Codable, Sendable {
    // MARK: Lines

    case lineTooLong(bytes: Int, max: Int)
    case emptyLine
    /// The longest list of a conversation that may be requested.
    case tooManyLines(max: Int)
    /// - Parameter lines: they wait for a neighbour already.
    case outboxFull(lines: Int)
    /// - Parameter max: the number of private messages that wait for the keys of their recipients.
    case messagesFull(max: Int)
    case lineNotStored
    /// The room became private or public after the line was written for its other audience. Nothing was sent.
    case otherAudience(room: RoomName, isPrivate: Bool)
    case messageToSelf
    /// No line of a public room here has this id.
    case unknownLine
    case notYourLine(act: Act)
    case lineDeleted
    /// The upload was begun for nobody and cannot become a file, or for somebody and cannot become a photo.
    case otherUpload
    /// - Parameter max: uploads that are under way already.
    case uploadsFull(max: Int)
    case fileTooLarge(bytesMax: Int64)
    /// A visitor's files take space on the owner's disk.
    case filesOfDayFull(bytesMax: Int64)
    /// - Parameter expected: the number of bytes that have come.
    case wrongOffset(expected: Int64)
    /// The bytes before are being stored.
    case uploadBusy

    // MARK: Rooms

    case tooManyRooms(max: Int)
    case tooManyPrivateRooms(max: Int)
    case tooManyMutedRooms(max: Int)
    /// This person left the private room of this name, and another front may not know.
    case leftPrivateRoom(room: RoomName)
    case privateRoomExists(room: RoomName)
    case lobbyIsPublic
    case notPrivate(room: RoomName)
    case badKey(fault: KeyFault)
    /// A different key is here.
    case otherKey(room: RoomName)
    case keyMissing(room: RoomName)
    /// Invitations to rooms that have nothing but the name in common.
    case severalRooms(room: RoomName)
    case keyChanges(room: RoomName)
    case inviteSelf(room: RoomName)
    case removeSelf(room: RoomName)
    case notAMember(room: RoomName)
    case roomFull(room: RoomName, max: Int)

    // MARK: People

    case unknownPeer(text: String)
    /// - Parameter at: when the candidates were last seen is relative to this.
    case ambiguousPeer(candidates: [KnownPerson], at: WallTime)
    case tooManyPeople(max: Int)
    case followSelf
    case blocked(who: Blocked)
    case noFolder(lacks: Lacking)

    // MARK: Accounts

    case accountInUse(account: String)
    case accountsFull(max: Int)
    case visitorsFull(max: Int)
    case loginsBusy
    case badKeyFile(problem: KeyFileProblem)

    // MARK: Items

    case invalid(faults: [FieldFault])
    case unknownItem(id: String)
    case ambiguousItem(ids: [String])
    case notTheAuthor(kind: ItemInfo.Kind, act: Act)
    /// The item was deleted; it cannot be changed or reacted to.
    case takenBack(kind: ItemInfo.Kind, byParentAuthor: Bool)
    case deletedMeanwhile
    case notAnEvent(kind: ItemInfo.Kind)
    case attendNoEvent(kind: ItemInfo.Kind)
    case commentOnComment
    case tooFar
    /// This person's place must be set first.
    case placeNeeded
    case placeLost
    /// - Parameter similar: names of places here that it may have meant.
    case unknownPlace(name: String, similar: [String])
    /// Such a place is here already.
    case similarPlaces(places: [SimilarPlace])
    case notAPlace(kind: ItemInfo.Kind)
    case unknownDraft(number: Int)
    /// A base map that is not kept here, or a file that is none.
    case unknownMap(name: String)
    /// - Parameter withPhotos: whether there are too many with photos.
    case draftsFull(max: Int, withPhotos: Bool)
    /// A file whose points were to become drafts. Nothing was kept.
    case badPoints(problem: PointProblem, line: Int)
    /// A photo cannot be made of this, or shown.
    case badPicture(problem: PictureProblem)
    /// Nobody who is connected has the photo now.
    case photoNotHere
    /// The store refused a record of ours.
    case refused(reason: String)

    // MARK: This machine

    case store(fault: StoreFault)
    case file(fault: FileFault)
    case folderInUse(path: String, name: String?, process: String?)
    case ownerOnly
    case stopped(why: Stopped)
    case clientsFull(max: Int)

    // MARK: The network

    case noNeighbour
    case noAnswer(seconds: Int64)
    /// The answer that came was not signed as it should be.
    case untrusted(seconds: Int64)
    case stream(fault: StreamFailure)
    case feed(fault: FeedFailure)

    /// An error of another version of this program, or of a part that has only a text for it.
    case other(code: Code, message: String)

    /// What is wrong with a file of points.
    package enum PointProblem: Hashable, Codable, Sendable {
        /// It is neither GPX nor GeoJSON.
        case otherFormat
        case tooLarge(bytesMax: Int)
        /// It ends in the middle.
        case cutOff
        case notUTF8
        /// - Parameter reason: the end of a sentence: what stands there, or what is missing.
        case malformed(reason: String)
        /// A document type, which could define entities without end.
        case documentType
        case entity(name: String)
        case tooDeep(max: Int)
        case coordinates
        case time
        case tooManyBytes(max: Int)
        case tooManyPoints(max: Int)
    }

    package enum Blocked: Hashable, Codable, Sendable {
        /// A message to this peer.
        case message(peer: PeerID)
        /// The messages exchanged with this peer.
        case messages(peer: PeerID)
        case stream
        case account
    }

    package enum Lacking: String, Hashable, Codable, Sendable {
        case people
        case accounts
    }

    package enum PictureProblem: Hashable, Codable, Sendable {
        /// It is no JPEG, PNG or WebP.
        case notAPicture
        case damaged
        case tooManyPixels
        case tooLarge(bytesMax: Int)
        /// It takes too long.
        case tooSlow
        case failed(reason: String)
    }

    /// Why somebody's own key cannot be taken.
    package enum KeyFileProblem: String, Hashable, Codable, Sendable {
        case noKeyFile
        case damaged
        case wrongPassphrase
        /// It asks for more work or memory than opening one may take.
        case tooCostly
        /// It is the key of the node itself.
        case isOfNode
        /// The node has lost it; the person has to bring it again.
        case lost
    }

    package enum Act: String, Hashable, Codable, Sendable {
        case edit
        case delete
    }

    package enum Stopped: String, Hashable, Codable, Sendable {
        case stopping
        case left
        case noNode
        case cancelled
        /// The node at the other end of the control socket has ended.
        case ended
        /// It ended before it answered, and the request must not be repeated.
        case endedUnanswered
        /// It ended, and no other has taken its place.
        case notReplaced
        case otherVersion
        /// The IRC client that asked has left.
        case clientGone
    }

    package enum KeyFault: Hashable, Codable, Sendable {
        case tooShort(bytes: Int, min: Int)
        case tooLong(bytes: Int, max: Int)
        case noMemory
    }
}

extension RequestError {
    /// Every invalid field, if fields are invalid.
    package var faults: [FieldFault] {
        guard case .invalid(let faults) = self else { return [] }
        return faults
    }

    /// People the name may have meant.
    package var candidates: [KnownPerson] {
        guard case .ambiguousPeer(let candidates, _) = self else { return [] }
        return candidates
    }
}
