import LatticeAPI
import LatticeCore

/// What somebody wants to hear of what happens.
package struct StreamWish: Sendable {
    /// Whether what is private is told, too.
    let isOwner: Bool
    /// The id of the event that was heard last; `nil` begins now.
    let after: String?
}

/// Keeps what happened last, for whoever has the token and for everybody, and wakes whoever listens.
actor StreamHub {
    enum Signal: Sendable {
        case news
        case beat
    }

    /// Where a listener is: what it has to be told is behind it.
    typealias Cursor = Int

    private let listenersMax: Int
    /// Each audience has numbers of its own: a gap would tell one that the other heard something.
    private var everything: StreamRing
    private var publicOnly: StreamRing
    private var listeners: [Int: AsyncStream<Signal>.Continuation] = [:]
    private var lastListener = 0

    /// - Parameter boot: tells one run of the program from others: numbers begin anew.
    init(_ limits: HTTPLimits, boot: String) {
        listenersMax = limits.streamsMax
        everything = StreamRing(boot: "\(boot)o", entriesMax: limits.ringMax)
        publicOnly = StreamRing(boot: boot, entriesMax: limits.ringMax)
    }

    func run(_ events: NodeEvents) async {
        for await event in events {
            for told in StreamEvent.events(of: event) { append(told) }
        }
    }

    /// - Returns: what wakes a listener, and by what it leaves; `nil` if there are too many.
    func join() -> (signals: AsyncStream<Signal>, input: AsyncStream<Signal>.Continuation, number: Int)? {
        guard listeners.count < listenersMax else { return nil }
        let (signals, input) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        lastListener += 1
        listeners[lastListener] = input
        return (signals, input, lastListener)
    }

    func leave(_ number: Int) {
        listeners.removeValue(forKey: number)?.finish()
    }

    func beat() {
        for listener in listeners.values { listener.yield(.beat) }
    }

    var listenersCount: Int { listeners.count }

    /// Where a listener begins, and what it is told first.
    func begin(_ wish: StreamWish) -> (bytes: [UInt8], cursor: Cursor) {
        let (bytes, cursor) = ring(of: wish).begin(after: wish.after)
        return (Array("retry: 2000\n\n".utf8) + bytes, cursor)
    }

    /// All that has happened since.
    func read(from cursor: Cursor, _ wish: StreamWish) -> (bytes: [UInt8], cursor: Cursor) {
        ring(of: wish).read(from: cursor)
    }

    private func ring(of wish: StreamWish) -> StreamRing { wish.isOwner ? everything : publicOnly }

    private func append(_ event: StreamEvent) {
        everything.append(event)
        if !event.isPrivate { publicOnly.append(event) }
        for listener in listeners.values { listener.yield(.news) }
    }
}
