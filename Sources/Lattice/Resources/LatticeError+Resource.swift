import LatticeAPI
import LatticeCore
import LatticeNode
import LatticeStore

extension LatticeError {
    init(_ fault: ResourceFault) {
        switch fault {
        case .notAFile(let path): self.init(.file, "\(path) is not a file; only single files are sent and saved")
        case .tooLarge(let path): self.init(.file, "\(path) is larger than 32 GiB")
        case .changed(let path): self.init(.file, "\(path) changed during the transfer; begin again")
        case .exists(let path): self.init(.file, "\(path) exists; save to another place, or replace it")
        case .notOwn(let path): self.init(.file, "\(path) belongs to another user")
        case .inUse(let path): self.init(.file, "another transfer writes \(path)")
        case .noSpace(let needed):
            let (all, free) = (
                ByteCountText.text(Int(needed.neededBytes)), ByteCountText.text(Int(needed.usableBytes))
            )
            self.init(.file, "\(needed.path) needs \(all), and the disk has \(free)")
        case .disk(.diskFull(let path)): self.init(.file, "the disk is full: \(path)")
        case .disk(.ioFailed(let path, let code)): self.init(.file, "\(path): \(SystemError(code: code))")
        case .disk(let fault): self.init(.file, "\(fault)")
        case .cancelled: self = .cancelled
        }
    }

    /// What ended a transfer on the side of the sender.
    ///
    /// - Parameter hasAsked: whether the receiver has asked for anything.
    init(ofReceiver error: RequestError, hasAsked: Bool) {
        switch error {
        case .stream(fault: .reset(reason: .readerGone)):
            if hasAsked {
                self.init(.interrupted, "the other side stopped fetching the file")
            } else {
                self.init(.declined, "the other side does not want the file", refusal: .declined)
            }
        case .stream(fault: .tooManyThere):
            self.init(.busy, "too many files or streams wait there")
        case .stream(fault: .reset(reason: .diskFull)):
            self.init(.interrupted, "the disk of the other side is full")
        case .stream(fault: .reset(reason: .writeFailed)):
            self.init(.interrupted, "the other side could not save the file")
        default: self.init(ofSender: error)
        }
    }

    /// What ended a transfer on the side of the receiver.
    init(ofSender error: RequestError) {
        switch error {
        case .stream(fault: .reset(reason: .readFailed)):
            self.init(.interrupted, "the sender could not read the file, or it changed there")
        case .stopped, .stream(fault: .nodeStopped): self.init(error)
        default: self.init(.interrupted, "the other side withdrew, ended or did not answer")
        }
    }
}

extension ResourceFault {
    var isFull: Bool { if case .disk(.diskFull) = self { true } else { false } }
}
