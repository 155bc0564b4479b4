import LatticeAPI
import LatticeCore

package struct StreamWish: Sendable {
    let hub: StreamHub
    /// Whether private events are included.
    let isPrivate: Bool
    /// The id of the last event received; `nil` starts now.
    let after: String?
}

/// Keeps the latest events, for clients with the token and for everybody, and wakes listeners.
actor StreamHub {
    enum Signal: Sendable {
        case news
        case beat
    }

    /// A listener's position: the number of the next event.
    typealias Cursor = Int

    private let listenersMax: Int
    /// Each audience has its own numbers: a gap would reveal that the other heard something.
    private var everything: StreamRing
    private var publicOnly: StreamRing
    private var listeners: [Int: AsyncStream<Signal>.Continuation] = [:]
    private var lastListener = 0
    private var isClosed = false

    /// - Parameter boot: identifies this run of the program; each run numbers events anew.
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

    /// - Returns: signals for a listener, and the number with which it leaves; `nil` if there are too many.
    func join() -> (signals: AsyncStream<Signal>, input: AsyncStream<Signal>.Continuation, number: Int)? {
        guard listeners.count < listenersMax, !isClosed else { return nil }
        let (signals, input) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        lastListener += 1
        listeners[lastListener] = input
        return (signals, input, lastListener)
    }

    func leave(_ number: Int) {
        listeners.removeValue(forKey: number)?.finish()
    }

    /// Ends all streams, and lets nobody join any more.
    func close() {
        isClosed = true
        end()
    }

    /// Ends all streams.
    func end() {
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }

    func beat() {
        for listener in listeners.values { listener.yield(.beat) }
    }

    var listenersCount: Int { listeners.count }

    /// The first bytes for a listener, and where it continues.
    func begin(_ wish: StreamWish) -> (bytes: [UInt8], cursor: Cursor) {
        let (bytes, cursor) = ring(of: wish).begin(after: wish.after)
        return (Array("retry: 2000\n\n".utf8) + bytes, cursor)
    }

    func read(from cursor: Cursor, _ wish: StreamWish) -> (bytes: [UInt8], cursor: Cursor) {
        ring(of: wish).read(from: cursor)
    }

    private func ring(of wish: StreamWish) -> StreamRing { wish.isPrivate ? everything : publicOnly }

    private func append(_ event: StreamEvent) {
        everything.append(event)
        if !event.isPrivate { publicOnly.append(event) }
        for listener in listeners.values { listener.yield(.news) }
    }
}
