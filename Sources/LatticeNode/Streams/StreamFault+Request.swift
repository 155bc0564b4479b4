import LatticeAPI
import LatticeWire

extension RequestError {
    static let givenUp = RequestError(.stopped, "nobody waits for it any more")
    static let noRoomForStreams = RequestError(
        .busy, "\(StreamLimit.countMax) streams are open here, which is all there can be; end one")

    /// In words that say what to do.
    init(_ fault: StreamFault) {
        guard let end = fault.end else {
            self.init(
                .unknownStream,
                fault.isWritten
                    ? "nothing more can be sent on this stream: its end was sent"
                    : "there is no stream of this number; open one, or listen for one")
            return
        }
        switch end {
        case .finished: self.init(.unknownStream, "this stream has ended on both sides")
        case .reset(let reason): self.init(reason)
        case .givenUp: self.init(.streamReset, "this stream was given up here")
        case .noRoute:
            self.init(
                .noRoute, "no way to this peer is known; is it here? 'lattice peers' or /peers shows who is reached")
        case .noAnswer: self.init(.noAnswer, "this peer does not answer; try again, or ask whether its program runs")
        case .lost:
            self.init(
                .streamLost,
                "this peer has gone, or the network between you: what was sent last may not have come; begin anew")
        case .untrusted: self.init(.untrusted, Self.untrustedText)
        case .stopped: self.init(.stopped, "the node of this side has ended; begin anew")
        }
    }

    private static let untrustedText =
        "the other side could not prove that it is this peer, or what came was changed on the way: nothing of it was taken; "
        + "try again, and tell who runs the machines between you"

    private init(_ reason: StreamReset) {
        switch reason {
        case .nobodyListens:
            self.init(.nobodyListens, "nobody listens there; the other side has to run 'lattice pipe --listen' first")
        case .notForYou:
            self.init(.notForYou, "the program that listens there waits for somebody else; ask them to let you in")
        case .full:
            self.init(.busy, "so many streams are open there that there is no room for another; try again later")
        case .ended: self.init(.streamReset, "the program at the other side was ended before all was said")
        case .writeFailed: self.init(.streamReset, "the program at the other side could not write what came")
        case .diskFull:
            self.init(.streamReset, "the disk at the other side is full; begin anew when there is room on it")
        case .readerGone:
            self.init(.streamReset, "whatever reads what comes at the other side takes no more of it")
        case .readFailed: self.init(.streamReset, "the program at the other side could not read what it was to send")
        case .nodeEnds: self.init(.streamReset, "the other side was ended before all was said")
        case .unknown:
            self.init(.streamReset, "the other side was started anew and does not know this stream; begin anew")
        case .untrusted:
            self.init(
                .untrusted,
                "the other side does not believe that you are who you are: something between you changes what is said; "
                    + "try again")
        case .other:
            self.init(.streamReset, "the other side ended this stream, for a reason that this version does not know")
        }
    }
}

extension StreamReset {
    init(_ reason: StreamReason) {
        self =
            switch reason {
            case .ended: .ended
            case .writeFailed: .writeFailed
            case .diskFull: .diskFull
            case .readerGone: .readerGone
            case .readFailed: .readFailed
            }
    }
}
