import LatticeAPI
import LatticeWire

extension RequestError {
    static let streamsFull = RequestError.stream(fault: .tooMany(max: StreamLimit.countMax))

    init(_ fault: StreamFault) {
        guard let end = fault.end else {
            self = .stream(fault: fault.isWritten ? .closedForSending : .unknown)
            return
        }
        self = .stream(fault: StreamFailure(end))
    }

    /// Programs cannot receive data now.
    init(_ error: DataError) {
        switch error {
        case .hasReader: self = .stream(fault: .hasReader)
        case .stopped: self = .stream(fault: .nodeStopped)
        case .full: self = .stream(fault: .tooManyThere)
        case .noRoute: self = .stream(fault: .noRoute)
        case .silent: self = .stream(fault: .noAnswer)
        case .unwanted: self = .stream(fault: .nobodyListens)
        case .interrupted: self = .stream(fault: .lost)
        case .tooLong(let bytes): self = .stream(fault: .tooLarge(bytes: bytes, max: DataMessages.messageBytesMax))
        }
    }
}

extension StreamFailure {
    fileprivate init(_ end: StreamEnd) {
        self =
            switch end {
            case .finished: .overOnBothSides
            case .reset(let reason): StreamFailure(reason)
            case .givenUp: .givenUp
            case .noRoute: .noRoute
            case .noAnswer: .noAnswer
            case .lost: .lost
            case .untrusted: .unproven
            case .stopped: .nodeStopped
            }
    }

    private init(_ reason: StreamReset) {
        self =
            switch reason {
            case .nobodyListens: .nobodyListens
            case .notForYou: .notForYou
            case .full: .tooManyThere
            case .ended: .reset(reason: .ended)
            case .writeFailed: .reset(reason: .writeFailed)
            case .diskFull: .reset(reason: .diskFull)
            case .readerGone: .reset(reason: .readerGone)
            case .readFailed: .reset(reason: .readFailed)
            case .nodeEnds: .endedThere
            case .unknown: .restartedThere
            case .untrusted: .provenWrongly
            case .other: .resetForOther
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
