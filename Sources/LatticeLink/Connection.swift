import LatticeCore
import LatticeSession
import Logging
import NIOCore
import NIOPosix

/// One connection from its first byte to its last: whose it is, and what it may cost.
struct Connection: Sendable {
    let id: LinkID
    let address: PeerAddress
    let dial: DialID?
    let role: Handshake.Role
    let session: SessionIdentity
    let limits: LinkLimits
    let turn: LoopTurn
    let logger: Logger

    /// Begins the handshake, on its event loop; its end is that of the channel, and its owner is told why.
    ///
    /// - Parameter onOpen: is called when the handshake is over, and says whether there is a slot for the link.
    /// - Throws: if it is closed already.
    func begin(on channel: any Channel, owner: any LinkOwner, onOpen: @escaping @Sendable () -> Bool) throws {
        guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
        try channel.syncOptions?.setOption(.socketOption(.tcp_nodelay), value: 1)
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        try channel.syncOptions?.setOption(
            .writeBufferWaterMark, value: .init(low: limits.batchBytesMax / 4, high: limits.batchBytesMax))
        try channel.pipeline.syncOperations.addHandler(HandshakeHandler(self, owner: owner, onOpen: onOpen))
    }

    /// Why a handshake failed, in a few words for a person.
    func words(for error: any Error) -> String {
        let reason =
            switch error {
            case let error as SessionError: error.description
            // In a closed mesh nothing is answered to whoever does not have its key.
            case _ where session.meshKey != nil: SessionError.wrongMeshKey.description
            case let error as IOError where error.errnoCode != ECONNRESET:
                "\(String(cString: strerror(error.errnoCode))) during the handshake"
            default: HandshakeEnd().description
            }
        return DialEnd.answered + reason
    }
}

extension Channel {
    /// Returns when it is closed; closes it when the task is cancelled.
    func closed() async {
        await withTaskCancellationHandler {
            do {
                try await closeFuture.get()
            } catch {
                // It is closed all the same.
            }
        } onCancel: {
            close(promise: nil)
        }
    }
}
