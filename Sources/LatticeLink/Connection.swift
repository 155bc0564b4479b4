import LatticeCore
import LatticeSession
import LatticeWire
import Logging
import NIOCore
import NIOPosix

/// One connection from its first byte to its last: handshake, then frames both ways, then goodbye.
struct Connection: Sendable {
    typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    let id: LinkID
    let address: PeerAddress
    let dial: DialID?
    let role: Handshake.Role
    let session: SessionIdentity
    let limits: LinkLimits
    let logger: Logger

    static func prepare(_ channel: any Channel) throws -> Bytes {
        try channel.syncOptions?.setOption(.socketOption(.tcp_nodelay), value: 1)
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    /// Runs it to its end. Does not throw: a bad neighbour ends alone, and its owner is told why.
    func run(_ channel: Bytes, owner: any LinkOwner, onOpen: @Sendable () -> Void) async {
        var failure: String?
        do {
            try await channel.executeThenClose { inbound, outbound in
                var source = MessageSource(inbound)
                do {
                    let limit = channel.channel.eventLoop.scheduleTask(
                        in: .nanoseconds(limits.handshakeTimeout.nanoseconds)
                    ) { channel.channel.close(promise: nil) }
                    defer { limit.cancel() }
                    let session = try await shakeHands(&source, outbound, introduction: owner.introduction())
                    limit.cancel()
                    source.handshakeDone()
                    onOpen()
                    await exchange(session, channel.channel, &source, outbound, owner)
                } catch {
                    failure = words(for: error)
                    throw error
                }
            }
        } catch {
            logger.debug("a connection ended", metadata: ["address": "\(address)", "error": "\(error)"])
        }
        if let dial, let failure { await owner.dialFailed(dial, failure) }
    }

    /// Why a handshake failed, in a few words for a person.
    private func words(for error: any Error) -> String {
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

    private func shakeHands(
        _ source: inout MessageSource, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, introduction: Introduction
    ) async throws -> EstablishedSession {
        var handshake = Handshake(role: role, me: session, introduction: introduction)
        if let first = handshake.begin() { try await outbound.write(ByteBuffer(bytes: first)) }
        while !handshake.isComplete {
            guard let message = try await source.next() else { throw HandshakeEnd() }
            if let reply = try handshake.receive(message[...]) { try await outbound.write(ByteBuffer(bytes: reply)) }
        }
        return handshake.finish()
    }

    /// Frames both ways until either side ends it.
    private func exchange(
        _ session: consuming EstablishedSession, _ channel: any Channel, _ source: inout MessageSource,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ owner: any LinkOwner
    ) async {
        let queue = OutboundQueue(
            bytesMax: limits.queueBytesMax, framesMax: limits.queueFramesMax, batchBytesMax: limits.batchBytesMax)
        let link = Link(
            id: id, peer: session.peer, address: address, dial: dial, queue: queue, channel: channel, limits: limits)
        let rekeyInterval = limits.rekeyInterval
        let (writer, reader) = session.deconstruct { sealer, opener in
            (LinkWriter(sealer: sealer, queue: queue, rekeyInterval: rekeyInterval), LinkReader(opener: opener))
        }
        await owner.linkOpened(link)
        let closure = await withTaskGroup { group in
            group.addTask { await writer.run(outbound) }
            let closure = await read(link, &source, reader, owner)
            queue.finish()
            // What still waits goes out; a peer that takes nothing in does not hold us up.
            let limit = channel.eventLoop.scheduleTask(in: .nanoseconds(limits.farewellTimeout.nanoseconds)) {
                channel.close(promise: nil)
            }
            await group.waitForAll()
            limit.cancel()
            return closure
        }
        await owner.linkClosed(link, closure)
    }

    private func read(
        _ link: Link, _ source: inout MessageSource, _ reader: LinkReader, _ owner: any LinkOwner
    ) async -> LinkClosure {
        do {
            while let message = try await source.next() {
                let frames = try reader.open(message)
                if let end = frames.firstIndex(where: \.isGoodbye), case .goodbye(let goodbye) = frames[end] {
                    try await owner.linkReceived(link, Array(frames[..<end]))
                    return .goodbye(goodbye)
                }
                if !frames.isEmpty { try await owner.linkReceived(link, frames) }
            }
            return .broken("the connection was closed at the other end")
        } catch let error as SessionError {
            link.close(Goodbye(.protocolFault, "\(error)"))
            return .fault("\(error)")
        } catch let fault as LinkFault {
            link.close(Goodbye(.protocolFault, fault.reason))
            return .fault(fault.reason)
        } catch let error as IOError {
            return .broken(String(cString: strerror(error.errnoCode)))
        } catch {
            return .broken("the connection was closed")
        }
    }
}

/// The other side closed before the handshake was done.
private struct HandshakeEnd: Error, CustomStringConvertible {
    let description =
        "it closed the connection during the handshake; perhaps its mesh is closed and wants a passphrase "
        + "(--passphrase-file), or it is no lattice peer, or of another version"
}

extension Frame {
    fileprivate var isGoodbye: Bool {
        if case .goodbye = self { true } else { false }
    }
}

/// Opens what arrives on a link, in order.
private final class LinkReader {
    private var opener: Opener

    init(opener: consuming Opener) {
        self.opener = opener
    }

    func open(_ message: [UInt8]) throws(SessionError) -> [Frame] {
        try opener.open(message[...])
    }
}
