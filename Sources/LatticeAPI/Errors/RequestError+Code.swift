extension RequestError {
    /// Stable, for programs.
    package enum Code: String, Hashable, Sendable, Codable {
        case lineTooLong
        case outboxFull
        case tooManyRooms
        case noRoute
        case noAnswer
        /// An answer was not signed as it should be.
        case untrusted
        case unknownPeer
        /// The input breaks one or more rules.
        case invalid
        /// No post, comment, event or place here has this id or name.
        case unknownItem
        /// Several items have an id with this beginning, or several people have this name.
        case ambiguous
        case notTheAuthor
        /// A place like the new one is here already.
        case similar
        /// This person has as many drafts as there can be.
        case draftsFull
        case tooFar
        /// This person's place must be set first.
        case placeNeeded
        /// A photo cannot be made of this file, or shown.
        case badPicture
        /// Nobody who is connected has it now.
        case notHere
        case diskFull
        case readOnly
        /// The store is damaged: a check lists the faults, a rebuild saves every record that verifies.
        case damaged
        case fileFailed
        /// Another process is using it; retrying in a moment may succeed.
        case busy
        case storeFailed
        case stopped
        /// The list of known people is full, and this person has marked every one of them.
        case tooManyPeople
        /// The private room's key is missing, or a different key is here.
        case wrongKey
        /// This person blocks the peer that the request is about.
        case blocked
        /// The room became private or public after the line was written for its other audience. Nothing was sent.
        case otherAudience
        /// The item was deleted; it cannot be changed or reacted to.
        case takenBack
        /// No program there listens for streams with this label.
        case nobodyListens
        /// The program there accepts only another peer.
        case notForYou
        /// There is no such stream, or it is over.
        case unknownStream
        case streamReset
        /// The peer at the other end of the stream is gone, or the network is.
        case streamLost
        /// This position is of another store: begin without one.
        case positionGone
        /// There is no such feed, or it is over.
        case unknownFeed
        /// A code that this version does not know.
        case other

        /// Whether retrying a stream request in a moment may succeed.
        package var mayPass: Bool {
            switch self {
            case .noRoute, .noAnswer, .nobodyListens, .busy: true
            default: false
            }
        }
    }

    package var code: Code {
        switch self {
        case .lineTooLong: .lineTooLong
        case .emptyLine, .tooManyLines, .messageToSelf, .leftPrivateRoom, .privateRoomExists, .lobbyIsPublic,
            .notPrivate, .otherUpload, .wrongOffset,
            .badKey, .inviteSelf, .removeSelf, .followSelf, .invalid, .notAnEvent, .notAPlace, .attendNoEvent,
            .commentOnComment,
            .refused, .ownerOnly, .badKeyFile, .fileTooLarge, .filesOfDayFull:
            .invalid
        case .outboxFull, .messagesFull: .outboxFull
        case .lineNotStored: .storeFailed
        case .otherAudience: .otherAudience
        case .tooManyRooms, .tooManyPrivateRooms, .tooManyMutedRooms: .tooManyRooms
        case .otherKey, .keyMissing, .severalRooms: .wrongKey
        case .keyChanges, .accountInUse, .loginsBusy, .folderInUse, .clientsFull, .uploadsFull, .uploadBusy: .busy
        case .notAMember, .unknownPeer: .unknownPeer
        case .roomFull, .tooManyPeople, .accountsFull, .visitorsFull: .tooManyPeople
        case .ambiguousPeer, .ambiguousItem: .ambiguous
        case .blocked: .blocked
        case .noFolder, .badPoints: .fileFailed
        case .unknownItem, .unknownLine, .unknownPlace, .unknownDraft, .unknownMap, .deletedMeanwhile: .unknownItem
        case .similarPlaces: .similar
        case .draftsFull: .draftsFull
        case .notTheAuthor, .notYourLine: .notTheAuthor
        case .takenBack, .lineDeleted: .takenBack
        case .tooFar: .tooFar
        case .placeNeeded: .placeNeeded
        case .placeLost: .damaged
        case .badPicture: .badPicture
        case .photoNotHere: .notHere
        case .store(let fault): fault.code
        case .file(let fault): fault.code
        case .stopped: .stopped
        case .noNeighbour: .noRoute
        case .noAnswer: .noAnswer
        case .untrusted: .untrusted
        case .stream(let fault): fault.code
        case .feed(let fault): fault.code
        case .other(let code, _): code
        }
    }
}

extension StoreFault {
    fileprivate var code: RequestError.Code {
        switch self {
        case .damaged: .damaged
        case .diskFull, .quotaFull: .diskFull
        case .readOnly: .readOnly
        case .busy: .busy
        case .cannotOpen, .tooNew, .failed, .missing, .roomsUnknown, .unreadable, .alreadyExpired: .storeFailed
        }
    }
}

extension FileFault {
    fileprivate var code: RequestError.Code {
        switch self {
        case .locked: .busy
        case .diskFull, .tooLittleSpace: .diskFull
        case .readOnly: .readOnly
        case .failed(_, _, _, let isDiskFull): isDiskFull ? .diskFull : .fileFailed
        case .broken, .badLine, .notPlain, .notABundle: .fileFailed
        }
    }
}

extension FeedFailure {
    fileprivate var code: RequestError.Code {
        switch self {
        case .tooManyPuts, .tooManyFeeds: .busy
        case .positionGone: .positionGone
        case .notSent: .invalid
        case .unknown: .unknownFeed
        }
    }
}

extension StreamFailure {
    fileprivate var code: RequestError.Code {
        switch self {
        case .unknown, .closedForSending, .overOnBothSides: .unknownStream
        case .noRoute: .noRoute
        case .noAnswer: .noAnswer
        case .lost: .streamLost
        case .unproven, .provenWrongly: .untrusted
        case .nodeStopped: .stopped
        case .nobodyListens: .nobodyListens
        case .notForYou: .notForYou
        case .tooMany, .tooManyThere, .labelTaken, .hasReader, .hasConnection, .stillBusy: .busy
        case .tooLarge: .invalid
        case .givenUp, .reset, .endedThere, .restartedThere, .resetForOther: .streamReset
        }
    }
}
