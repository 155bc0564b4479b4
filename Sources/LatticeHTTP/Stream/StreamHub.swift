import LatticeAPI
import LatticeCore

/// What somebody wants to hear of what happens.
package struct StreamWish: Sendable {
    /// Whether what is private is told, too.
    let isOwner: Bool
    /// The id of the event that was heard last; `nil` begins now.
    let after: String?
}

/// Keeps what happened last, and wakes whoever listens. Every event is written down once; who falls behind, or comes back, reads on where it
/// was, as far as that is still here, and is told how many are not.
actor StreamHub {
    enum Signal: Sendable {
        case news
        case beat
    }

    private struct Entry {
        let bytes: [UInt8]
        let isPrivate: Bool
    }

    /// Where a listener is: what it has to be told is behind it.
    typealias Cursor = Int

    /// Tells one run of the program from others: numbers begin anew.
    private let boot: String
    private let ringMax: Int
    private let listenersMax: Int
    /// At most `ringMax` of them, overwritten in turn: event `number` stands at `number % ringMax`.
    private var ring: [Entry] = []
    private var nextNumber = 1
    private var listeners: [Int: AsyncStream<Signal>.Continuation] = [:]
    private var lastListener = 0

    init(_ limits: HTTPLimits, boot: String) {
        ringMax = limits.ringMax
        listenersMax = limits.streamsMax
        self.boot = boot
    }

    func run(_ events: AsyncStream<NodeEvent>) async {
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
        let hello = Array("retry: 2000\n\n".utf8)
        guard let after = wish.after else { return (hello, nextNumber) }
        let parts = after.split(separator: "-")
        guard parts.count == 2, parts[0] == boot, let number = Int(parts[1]), (0..<nextNumber).contains(number) else {
            // Of another run, or of nobody: how many there were since nobody knows.
            return (hello + missed(nil), nextNumber)
        }
        let (bytes, cursor) = read(from: number + 1, wish)
        return (hello + bytes, cursor)
    }

    /// All that has happened since.
    func read(from cursor: Cursor, _ wish: StreamWish) -> (bytes: [UInt8], cursor: Cursor) {
        var bytes: [UInt8] = []
        var cursor = cursor
        let oldest = nextNumber - ring.count
        if cursor < oldest {
            bytes += missed(oldest - cursor)
            cursor = oldest
        }
        while cursor < nextNumber {
            let entry = ring[cursor % ringMax]
            if wish.isOwner || !entry.isPrivate { bytes += entry.bytes }
            cursor += 1
        }
        return (bytes, cursor)
    }

    private func append(_ event: StreamEvent) {
        let text = "id: \(boot)-\(nextNumber)\nevent: \(event.name)\ndata: "
        let entry = Entry(bytes: Array(text.utf8) + event.data.bytes + Array("\n\n".utf8), isPrivate: event.isPrivate)
        // The first number is 1: the place of 0 is taken once the ring is full.
        if ring.isEmpty { ring.append(Entry(bytes: [], isPrivate: true)) }
        if ring.count < ringMax { ring.append(entry) } else { ring[nextNumber % ringMax] = entry }
        nextNumber += 1
        for listener in listeners.values { listener.yield(.news) }
    }

    private func missed(_ count: Int?) -> [UInt8] {
        let data = (["count": .integer(count)] as JSON).bytes
        return Array("id: \(boot)-\(nextNumber - 1)\nevent: missed\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
