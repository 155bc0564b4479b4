/// What a front may ask of a node and hear from it. Whether the node lives in this process or behind a socket makes no
/// difference to a front.
package protocol MeshNode: Sendable {
    /// Does one thing and tells how it went.
    ///
    /// - Throws: `RequestError`, whose description says what to do.
    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply

    /// Everything that happens from now on, in order. Bounded: a reader that falls behind is told how many it missed.
    func events() async -> NodeEvents
}

/// Why a request was not carried out; the description says what to do.
package struct RequestError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, Codable {
        case lineTooLong
        case outboxFull
        case tooManyRooms
        case noRoute
        case noAnswer
        /// What was answered was not signed as it should be.
        case untrusted
        case unknownPeer
        /// What was given breaks one or more rules, each of which stands in `faults`.
        case invalid
        /// No post, comment or event here has this id.
        case unknownItem
        /// Several have an id that begins so, or several people are called so.
        case ambiguous
        /// Only its author may do that.
        case notTheAuthor
        case tooFar
        /// Where one is has to be said first.
        case placeNeeded
        case diskFull
        case readOnly
        /// The store is damaged; a check says what, a rebuild saves what verifies.
        case damaged
        /// A file to be read or written could not be.
        case fileFailed
        /// Somebody else is at work on it; the same request may do in a moment.
        case busy
        case storeFailed
        case stopped
        /// As many people are remembered as there can be, each because this person said so.
        case tooManyPeople
        /// Of a private room: its key is not here, or another one is.
        case wrongKey
        /// This person blocks whoever it is about.
        case blocked
        /// A line was meant for everybody and the room is private now, or the other way round. Nothing was sent.
        case otherAudience
        /// It was taken back: nothing can be said of it, or changed in it, any more.
        case takenBack
        /// No program listens there for streams of this label.
        case nobodyListens
        /// The program that listens there waits for somebody else.
        case notForYou
        /// There is no such stream, or it is over.
        case unknownStream
        /// The other side gave a stream up, or it was given up here.
        case streamReset
        /// The other side of a stream is gone, or the network is.
        case streamLost

        /// Whether the same request for a stream may do in a moment.
        package var mayPass: Bool {
            switch self {
            case .noRoute, .noAnswer, .nobodyListens, .busy: true
            default: false
            }
        }
    }

    package let code: Code
    package let description: String
    /// Every field at fault with its reason, where several may be.
    package let faults: [FieldFault]
    /// People the name may have meant.
    package let candidates: [KnownPerson]

    package init(
        _ code: Code, _ description: String, faults: [FieldFault] = [], candidates: [KnownPerson] = []
    ) {
        self.code = code
        self.description = description
        self.faults = faults
        self.candidates = candidates
    }

    /// What is wrong with one thing that was given.
    package struct FieldFault: Hashable, Sendable, Codable {
        /// Stable, for programs: `text`, `name`, `place`, `starts`, …
        package let field: String
        /// One sentence that says what to do.
        package let reason: String

        package init(_ field: String, _ reason: String) {
            self.field = field
            self.reason = reason
        }
    }
}
