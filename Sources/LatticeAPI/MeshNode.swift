/// The interface of a node for fronts. It is the same for a node in this process and for one behind a socket.
package protocol MeshNode: Sendable {
    /// Carries out a request and returns its reply.
    ///
    /// - Throws: `RequestError`, whose description says what to do.
    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply

    /// Every event from now on, in order. Bounded: a reader that falls behind gets the number of events it missed.
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
        /// An answer was not signed as it should be.
        case untrusted
        case unknownPeer
        /// The input breaks one or more rules, which `faults` lists.
        case invalid
        /// No post, comment or event here has this id.
        case unknownItem
        /// Several items have an id with this beginning, or several people have this name.
        case ambiguous
        /// Only the author may do that.
        case notTheAuthor
        case tooFar
        /// This person's place must be set first.
        case placeNeeded
        case diskFull
        case readOnly
        /// The store is damaged: a check lists the faults, a rebuild saves every record that verifies.
        case damaged
        /// A file could not be read or written.
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
        /// Either side reset the stream.
        case streamReset
        /// The peer at the other end of the stream is gone, or the network is.
        case streamLost

        /// Whether retrying a stream request in a moment may succeed.
        package var mayPass: Bool {
            switch self {
            case .noRoute, .noAnswer, .nobodyListens, .busy: true
            default: false
            }
        }
    }

    package let code: Code
    package let description: String
    /// Every invalid field with its reason, if there may be several.
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

    /// What is wrong with one field of the input.
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
