import LatticeCore
import LatticeSession
import Logging
import NIOCore
import NIOPosix

/// The context of one connection: its identity, its limits, and its event loop.
struct Connection: Sendable {
    let id: LinkID
    let address: PeerAddress
    let dial: DialID?
    let role: Handshake.Role
    let session: SessionIdentity
    let limits: LinkLimits
    let turn: LoopTurn
    let losesDatagram: (@Sendable (any Channel) -> Bool)?
    let logger: Logger

    /// `TCP_NOTSENT_LOWAT` of `tcp(7)`, which has no name in NIO.
    static let unsentLowWater = NIOBSDSocket.Option(rawValue: 25)

    /// Begins the handshake, on its event loop. Closing the channel ends it, and the owner learns why.
    ///
    /// - Parameter onOpen: called after the handshake; returns whether a slot is free for the link.
    /// - Throws: if the channel is already closed.
    func begin(on channel: any Channel, owner: any LinkOwner, onOpen: @escaping @Sendable () -> Bool) throws {
        guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
        try channel.syncOptions?.setOption(.socketOption(.tcp_nodelay), value: 1)
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        try channel.syncOptions?.setOption(
            .writeBufferWaterMark, value: .init(low: limits.batchBytesMax / 4, high: limits.batchBytesMax))
        try channel.syncOptions?.setOption(
            .tcpOption(Self.unsentLowWater), value: .init(limits.unsentBytesMax))
        try channel.pipeline.syncOperations.addHandler(HandshakeHandler(self, owner: owner, onOpen: onOpen))
    }

    /// Why a handshake failed.
    func end(for error: any Error) -> DialEnd {
        switch error {
        case SessionError.wrongMeshKey: .wrongMeshKey
        case SessionError.wrongVersion(let theirs): .wrongVersion(theirs: theirs, ours: Handshake.version)
        case let error as SessionError: .handshake(fault: error.description)
        // A closed mesh answers nothing to a peer without its key.
        case _ where session.meshKey != nil: .wrongMeshKey
        case let error as IOError where error.errnoCode != ECONNRESET:
            .broken(reason: String(cString: strerror(error.errnoCode)))
        default: .closed
        }
    }
}

extension Channel {
    /// Returns when it is closed; closes it when the task is cancelled.
    func closed() async {
        await withTaskCancellationHandler {
            do {
                try await closeFuture.get()
            } catch {
                // It is closed in this case, too.
            }
        } onCancel: {
            close(promise: nil)
        }
    }
}
