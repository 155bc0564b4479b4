package import LatticeCore
package import LatticeWire
import NIOCore
import Synchronization

/// An encrypted connection to a peer whose identity is proven. Frames are sent here; received ones go to the owner.
package final class Link: Sendable {
    package let id: LinkID
    package let peer: Introduction
    package let address: PeerAddress
    /// The dial it came from; `nil` if the other side began.
    package let dial: DialID?

    private let queue: OutboundQueue
    private let reading = Mutex<Reading?>(nil)
    private let channel: any Channel
    private let limits: LinkLimits

    /// A struct, because a bare closure stored in a `Mutex` is wrapped once more at each access.
    private struct Reading: Sendable {
        let goOn: @Sendable (LinkFault?) -> Void
    }

    init(
        id: LinkID, peer: Introduction, address: PeerAddress, dial: DialID?, queue: OutboundQueue, channel: any Channel,
        limits: LinkLimits
    ) {
        self.id = id
        self.peer = peer
        self.address = address
        self.dial = dial
        self.queue = queue
        self.channel = channel
        self.limits = limits
    }

    /// An address to dial the peer at; the port of an incoming connection is useless for that.
    package var listeningAddress: PeerAddress {
        dial == nil && peer.port > 0 ? PeerAddress(host: address.host, port: peer.port) : address
    }

    /// The numeric address of this machine that it uses, without scope; `nil` once it is closed.
    package var localHost: String? {
        channel.localAddress.map { PeerAddress($0).host }
    }

    /// Queued bytes without pieces.
    package var waitingBytes: Int { queue.waitingBytes }

    /// Whether it refuses more frames.
    package var isClosing: Bool { queue.isFinished }

    /// Returns when at most `bytes` bytes are queued, the link is closing, or `limit` has passed.
    package func drained(below bytes: Int, atMost limit: Duration) async {
        let queue = queue
        let alarm = channel.eventLoop.scheduleTask(in: .nanoseconds(limit.nanoseconds)) { queue.releaseWriters() }
        await queue.drained(below: bytes)
        alarm.cancel()
    }

    /// Returns when at most `bytes` bytes are queued or the link is closing; sometimes earlier, when the limit of
    /// another waiter has passed.
    package func drained(below bytes: Int) async {
        await queue.drained(below: bytes)
    }

    /// Calls `work` once, when at most `bytes` bytes are queued or the link is closing, on the thread that caused that; sometimes
    /// earlier, when the limit of another waiter has passed.
    package func whenDrained(below bytes: Int, _ work: @escaping @Sendable () -> Void) {
        queue.whenDrained(below: bytes, work)
    }

    /// Queues an encoded frame.
    ///
    /// - Returns: `false` if the queue is full because the peer reads too slowly, or if the link is closing.
    package func send(_ frame: [UInt8], _ lane: SendLane = .usual) -> Bool {
        queue.push(frame, lane)
    }

    /// Queues an encoded piece of a file. Frames of `send` go first, those queued later too, and no fence holds between the
    /// two. Pieces keep their order. A goodbye drops them.
    ///
    /// - Returns: `false` if `LinkLimits.bulkPiecesMax` pieces are queued, or if the link is closing. When there is room
    ///   again, the owner learns it from `linkHasBulkRoom`.
    package func sendBulk(_ frame: [UInt8]) -> Bool {
        queue.pushPiece(frame)
    }

    /// Queues a datagram: it goes ahead of other frames, in turns with them, and is dropped if it is among too many or waits for
    /// too long.
    ///
    /// - Returns: how many were dropped for it, which may be this one; `nil` if the link is closing.
    package func sendDatagram(_ frame: DatagramFrame, from source: DatagramSource) -> Int? {
        queue.pushDatagram(frame, from: source, at: .now)
    }

    /// The owner has finished frames for which it returned `Reception.later`, perhaps with a fault. Call once for each.
    package func goOn(after fault: LinkFault? = nil) {
        reading.withLock { $0 }?.goOn(fault)
    }

    func onGoOn(_ work: @escaping @Sendable (LinkFault?) -> Void) {
        reading.withLock { $0 = Reading(goOn: work) }
    }

    /// The connection is over, so nothing reads it any more.
    func forget() {
        reading.withLock { $0 = nil }
    }

    /// Sends what is queued and a goodbye, then closes; at once if that exceeds the time limit.
    package func close(_ goodbye: Goodbye) {
        queue.finish(last: Frame.goodbye(goodbye).bytes)
        let channel = channel
        channel.eventLoop.scheduleTask(in: .nanoseconds(limits.farewellTimeout.nanoseconds)) {
            channel.close(promise: nil)
        }
    }
}

package enum LinkClosure: Error, Hashable, Sendable {
    /// The other side said why.
    case goodbye(Goodbye)
    /// The connection ended without a word.
    case broken(String)
    /// The other side broke the protocol; the text names the field.
    case fault(String)
}

/// A fault that the owner found in what a link brought; it ends the link.
package struct LinkFault: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// What the owner does with received frames.
package enum Reception: Sendable {
    /// The owner has finished them.
    case taken
    case faulty(LinkFault)
    /// The owner is at work on them: nothing more is read before `Link.goOn`, so a slow owner slows the sender down.
    case later
}

/// The owner of links. It is called on the event loop of each link; calls for one link are in order and one at a time.
/// A slow call delays all links.
package protocol LinkOwner: Sendable {
    func linkOpened(_ link: Link)
    func linkReceived(_ link: Link, _ frames: [Frame]) -> Reception
    /// A piece was written, and fewer than `LinkLimits.bulkPiecesLow` are queued. Never called within `Link.sendBulk`.
    func linkHasBulkRoom(_ link: Link)
    /// Datagrams left the queue.
    func linkTookDatagrams(_ link: Link, _ tally: DatagramTally)
    /// Called once for each opened link, last.
    func linkClosed(_ link: Link, _ closure: LinkClosure)
    func dialFailed(_ dial: DialID, _ end: DialEnd)
    /// Our current introduction for a handshake.
    func introduction() -> Introduction
}

extension LinkOwner {
    package func linkHasBulkRoom(_ link: Link) {}
    package func linkTookDatagrams(_ link: Link, _ tally: DatagramTally) {}
}
