import LatticeAPI
import LatticeWire

extension RequestError {
    static let givenUp = RequestError(.stopped, "the request was cancelled")
    static let noRoomForStreams = RequestError(
        .busy, "\(StreamLimit.countMax) streams are open here, the most there can be; close one first")

    /// The words say what to do.
    init(_ fault: StreamFault) {
        guard let end = fault.end else {
            self.init(
                .unknownStream,
                fault.isWritten
                    ? "this stream is closed for sending"
                    : "there is no stream with this number; open one, or listen for one")
            return
        }
        switch end {
        case .finished: self.init(.unknownStream, "this stream has ended on both sides")
        case .reset(let reason): self.init(reason)
        case .givenUp: self.init(.streamReset, "this stream was given up here")
        case .noRoute:
            self.init(
                .noRoute, "this peer is not reachable; 'lattice peers' or /peers shows who is here")
        case .noAnswer:
            self.init(.noAnswer, "this peer does not answer; check that its program is running, and try again")
        case .lost:
            self.init(
                .streamLost,
                "the connection to this peer was lost, and the last bytes may not have arrived; start again")
        case .untrusted: self.init(.untrusted, Self.untrustedText)
        case .stopped: self.init(.stopped, "the node on this side has stopped; start again")
        }
    }

    private static let untrustedText =
        "the other side could not prove who it is, or the data was changed on the way; nothing was accepted. "
        + "Try again, and warn the owners of the machines between you"

    private init(_ reason: StreamReset) {
        switch reason {
        case .nobodyListens:
            self.init(.nobodyListens, "nobody listens there; the other side must run 'lattice pipe --listen' first")
        case .notForYou:
            self.init(.notForYou, "the program there accepts only somebody else; ask its owner to let you in")
        case .full:
            self.init(.busy, "too many streams are open on the other side; try again later")
        case .ended: self.init(.streamReset, "the program on the other side ended early")
        case .writeFailed: self.init(.streamReset, "the program on the other side could not write the data")
        case .diskFull:
            self.init(.streamReset, "the disk on the other side is full; start again when it has space")
        case .readerGone:
            self.init(.streamReset, "the reader on the other side has closed")
        case .readFailed: self.init(.streamReset, "the program on the other side could not read its input")
        case .nodeEnds: self.init(.streamReset, "the other side ended early")
        case .unknown:
            self.init(.streamReset, "the other side restarted and does not know this stream; start again")
        case .untrusted:
            self.init(
                .untrusted,
                "the other side could not verify who you are: something between you changes the data; "
                    + "try again")
        case .other:
            self.init(.streamReset, "the other side ended this stream for a reason that this version does not know")
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
