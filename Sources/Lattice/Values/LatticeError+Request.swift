import LatticeAPI
import LatticeCore

extension LatticeError {
    /// The node's answer in the terms of this library.
    init(_ error: RequestError) {
        let code: Code =
            switch error.code {
            case .lineTooLong: .tooLong
            case .outboxFull, .busy, .tooManyRooms, .tooManyPeople, .draftsFull: .busy
            case .noRoute: .noRoute
            case .noAnswer: .timedOut
            case .blocked, .nobodyListens, .notForYou: .unwanted
            case .unknownPeer, .unknownItem, .ambiguous: .unknown
            case .streamLost: .interrupted
            case .streamReset, .unknownStream, .untrusted: .reset
            case .stopped: .closed
            case .diskFull, .readOnly, .damaged, .fileFailed, .storeFailed: .storage
            case .invalid, .notTheAuthor, .similar, .tooFar, .placeNeeded, .badPicture, .notHere, .wrongKey,
                .otherAudience, .takenBack, .positionGone, .unknownFeed, .other:
                .invalid
            }
        if case .stopped(why: .cancelled) = error {
            self = .cancelled
        } else {
            self.init(code, LogMessages.message(error))
        }
    }

    /// Why a link ended; `nil` if it ended well.
    init?(_ ending: LinkEnding) {
        switch ending {
        case .goodbye, .left, .rearranged: return nil
        case .refused(let why): self.init(.declined, "the peer refused the link: \(why.rawValue)", refusal: .init(why))
        case .refusedByUs(let why): self.init(.declined, "this session refused the link: \(why.rawValue)")
        case .silent: self.init(.timedOut, "the peer stopped answering")
        case .broken(let reason): self.init(.network, "the connection broke: \(reason)")
        case .addressGone: self.init(.network, "this machine lost the address that the link used")
        case .fault(let reason): self.init(.network, "the peer broke the protocol: \(reason)")
        case .blocked: self.init(.unwanted, "the peer is blocked here")
        case .dial: self.init(.network, "the peer does not answer at its address")
        case .otherThere(let address): self.init(.declined, "another peer answers at \(address)")
        }
    }
}
