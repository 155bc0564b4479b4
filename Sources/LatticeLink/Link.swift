package import LatticeCore
package import LatticeWire
import NIOCore
import Synchronization

/// One encrypted connection to a peer whose identity is proven: frames go in here, and what arrives goes to its owner.
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

    /// A value of its own: a bare closure that is changed in place is wrapped once more each time it is looked at.
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

    /// Where the peer may be dialled: the port of an incoming connection is good for nothing later.
    package var listeningAddress: PeerAddress {
        dial == nil && peer.port > 0 ? PeerAddress(host: address.host, port: peer.port) : address
    }

    /// The numeric address of this machine that it uses, without scope; `nil` once it is closed.
    package var localHost: String? {
        channel.localAddress.map { PeerAddress($0).host }
    }

    /// Bytes that wait to be sealed and written.
    package var waitingBytes: Int { queue.waitingBytes }

    /// Whether it takes no more frames.
    package var isClosing: Bool { queue.isFinished }

    /// Returns when at most `bytes` bytes wait here, the link is closing, or `limit` has passed.
    package func drained(below bytes: Int, atMost limit: Duration) async {
        let queue = queue
        let alarm = channel.eventLoop.scheduleTask(in: .nanoseconds(limit.nanoseconds)) { queue.releaseWriters() }
        await queue.drained(below: bytes)
        alarm.cancel()
    }

    /// Returns when at most `bytes` bytes wait here or the link is closing; sometimes sooner, when another waits no longer.
    package func drained(below bytes: Int) async {
        await queue.drained(below: bytes)
    }

    /// Hands an encoded frame to the writer.
    ///
    /// - Returns: `false` if the peer takes in too slowly and the queue is full, or the link is closing.
    package func send(_ frame: [UInt8]) -> Bool {
        queue.push(frame)
    }

    /// The owner is done with frames for which it returned `Reception.later`, and found this wrong with them. Once for each.
    package func goOn(after fault: LinkFault? = nil) {
        reading.withLock { $0 }?.goOn(fault)
    }

    func onGoOn(_ work: @escaping @Sendable (LinkFault?) -> Void) {
        reading.withLock { $0 = Reading(goOn: work) }
    }

    /// Whoever read it reads no more: the connection is over.
    func forget() {
        reading.withLock { $0 = nil }
    }

    /// Says goodbye after everything that waits, then closes; at once when that takes longer than the limit.
    package func close(_ goodbye: Goodbye) {
        queue.finish(last: Frame.goodbye(goodbye).bytes)
        let channel = channel
        channel.eventLoop.scheduleTask(in: .nanoseconds(limits.farewellTimeout.nanoseconds)) {
            channel.close(promise: nil)
        }
    }
}

/// Why a link ended.
package enum LinkClosure: Error, Hashable, Sendable {
    /// The other side said why.
    case goodbye(Goodbye)
    /// The connection ended without a word.
    case broken(String)
    /// The other side broke the protocol; the text names the field.
    case fault(String)
}

/// What the owner of a link found wrong with what came over it; it ends the link.
package struct LinkFault: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// What becomes of frames that an owner was given.
package enum Reception: Sendable {
    /// The owner is done with them.
    case taken
    case faulty(LinkFault)
    /// The owner is at work on them: nothing more is read before `Link.goOn`, so a slow owner slows the sender down.
    case later
}

/// Whoever the links belong to. Called on the event loop of each link, each link's calls in order, one at a time; whatever takes long
/// holds up all links.
package protocol LinkOwner: Sendable {
    func linkOpened(_ link: Link)
    func linkReceived(_ link: Link, _ frames: [Frame]) -> Reception
    /// Called once for each opened link, last.
    func linkClosed(_ link: Link, _ closure: LinkClosure)
    func dialFailed(_ dial: DialID, _ reason: String)
    /// What a handshake tells of us now.
    func introduction() -> Introduction
}

/// How a dial ends that makes no link.
package enum DialEnd {
    /// How a reason begins where somebody took the connection: nothing stands between, then.
    package static let answered = "it answers, but "
}
