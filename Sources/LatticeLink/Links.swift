package import LatticeCore
package import LatticeSession
import LatticeSocket
import LatticeWire
package import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Listens, dials, and runs each connection in its own task, so that a bad neighbour ends only its own.
package final class Links: Sendable {
    private struct DialRequest: Sendable {
        let id: DialID
        let address: PeerAddress
    }

    private let session: SessionIdentity
    private let turn: LoopTurn
    /// Connections are opened and accepted on the event loop, because a change of threads takes as long as part of the
    /// handshake.
    private let taskExecutor: LoopTaskExecutor
    private let limits: LinkLimits
    private let logger: Logger
    private let listener: any CarrierPort
    private let dials: AsyncStream<DialRequest>
    private let dialInput: AsyncStream<DialRequest>.Continuation
    private let lastLink = Atomic<UInt64>(0)
    private let slots: LinkSlots

    private let started = ContinuousClock.now

    package var port: UInt16 { listener.port }

    package var usage: LinkUsage { slots.usage }

    /// The monotonic clock, from an arbitrary start.
    private var now: Instant { Instant(nanoseconds: started.duration(to: .now).nanoseconds) }

    private init(
        session: SessionIdentity, limits: LinkLimits, turn: LoopTurn, logger: Logger, listener: any CarrierPort
    ) {
        self.session = session
        self.limits = limits
        self.turn = turn
        taskExecutor = LoopTaskExecutor(turn)
        self.logger = logger
        self.listener = listener
        // The mesh has at most 16 dials under way; the rest of the buffer is for their successors.
        (dials, dialInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64))
        slots = LinkSlots(limits: limits)
    }

    /// Binds a port.
    ///
    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - interface: listens and dials only there; `nil` for all interfaces.
    ///   - turn: belongs to the event loop whose thread runs all connections.
    ///   - carrier: what connections run over; `nil` is TCP. It has no interfaces.
    package static func listening(
        port: UInt16, interface: String?, session: SessionIdentity, limits: LinkLimits = LinkLimits(),
        turn: LoopTurn, carrier: (any Carrier)? = nil, logger: Logger
    ) async throws(ListenError) -> Links {
        let listener: any CarrierPort =
            if let carrier {
                carrier.listen(port: port, as: session.peer)
            } else {
                try await Listener.bind(port: port, interface: interface, group: turn.eventLoop)
            }
        return Links(session: session, limits: limits, turn: turn, logger: logger, listener: listener)
    }

    /// - Throws: `noInterface` as `listening` does.
    package static func check(interface: String) throws(ListenError) {
        guard InterfaceName(interface) != nil else { throw .noInterface(interface) }
    }

    /// Starts a dial, which ends with `linkOpened` or `dialFailed`.
    package func dial(_ id: DialID, _ address: PeerAddress) {
        dialInput.yield(DialRequest(id: id, address: address))
    }

    /// Runs until its task is cancelled; then it closes every connection.
    package func run(owner: any LinkOwner) async {
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: self.taskExecutor) { await self.accept(owner: owner) }
            group.addTask(executorPreference: self.taskExecutor) {
                await withDiscardingTaskGroup { dialling in
                    for await request in self.dials {
                        dialling.addTask { await self.dial(request, owner: owner) }
                    }
                }
            }
        }
    }

    private func accept(owner: any LinkOwner) async {
        do {
            try await listener.accept { await self.accepted($0, owner: owner) }
        } catch is CancellationError {
            return
        } catch {
            logger.error("stopped listening", metadata: ["error": "\(error)"])
        }
    }

    private func accepted(_ arrival: Arrival, owner: any LinkOwner) async {
        let address = PeerAddress(arrival.remoteAddress)
        let slot: LinkSlot
        do {
            slot = try slots.take(for: ConnectionSource(host: address.host), at: now)
        } catch {
            // `arrival` is closed because nobody takes it.
            return logger.debug(
                "connection refused",
                metadata: ["address": "\(address)", "reason": "\(error.reason.rawValue)"])
        }
        defer { slot.leave() }
        let connection = connection(address: address, dial: nil, role: .responder)
        do {
            let channel = try await arrival.take(settingUp: { channel in
                channel.eventLoop.makeCompletedFuture {
                    try connection.begin(on: channel, owner: owner, onOpen: { slot.handshakeDone() })
                    slot.onGivingWay { channel.close(promise: nil) }
                    return channel
                }
            })
            await channel.closed()
        } catch {
            logger.debug("connection ended", metadata: ["address": "\(address)", "error": "\(error)"])
        }
    }

    private func dial(_ request: DialRequest, owner: any LinkOwner) async {
        guard let slot = slots.takeForOwn() else {
            return tell(owner, that: request.id, failed: .tooManyConnections)
        }
        defer { slot.leave() }
        let connection = connection(address: request.address, dial: request.id, role: .initiator)
        let channel: any Channel
        do {
            channel = try await listener.dial(request.address, timeout: limits.dialTimeout)
        } catch {
            return tell(owner, that: request.id, failed: error)
        }
        do {
            // The other side sends nothing before us, so nothing was read yet.
            try await channel.eventLoop.submit { try connection.begin(on: channel, owner: owner, onOpen: { true }) }
                .get()
        } catch {
            channel.close(promise: nil)
            tell(owner, that: request.id, failed: connection.end(for: error))
        }
        await channel.closed()
    }

    private func tell(_ owner: any LinkOwner, that dial: DialID, failed end: DialEnd) {
        turn.eventLoop.execute { owner.dialFailed(dial, end) }
    }

    private func connection(address: PeerAddress, dial: DialID?, role: Handshake.Role) -> Connection {
        let id = LinkID(rawValue: lastLink.add(1, ordering: .relaxed).newValue)
        return Connection(
            id: id, address: address, dial: dial, role: role, session: session, limits: limits, turn: turn,
            losesDatagram: listener.losesDatagram, logger: logger)
    }
}
