import CBaseline
import LatticeCore

/// Sends and receives the messages of one peer, and checks that all arrive once and in order.
struct Talk {
    private var voice: any MeshVoice
    private var said: UInt32 = 0
    /// The number of each peer's next message. With so few peers a linear search is fastest.
    private var expected: [(peer: PeerID, number: UInt32)] = []

    init(voice: any MeshVoice) {
        self.voice = voice
    }

    private static var now: UInt64 { UInt64(baseline_now()) }

    nonisolated(nonsending) private mutating func say(
        _ role: MeshMessage.Role, to peers: [PeerID], due: UInt64
    ) async throws {
        try await voice.say(MeshMessage(role: role, number: said, stamp: due), to: peers)
        said += 1
    }

    nonisolated(nonsending) private mutating func next() async throws -> (message: MeshMessage, from: PeerID) {
        let (message, from) = try await voice.next()
        let index = expected.firstIndex { $0.peer == from } ?? expected.endIndex
        if index == expected.endIndex { expected.append((from, 0)) }
        guard message.number == expected[index].number else {
            throw BenchError("message \(message.number) came in the place of \(expected[index].number)")
        }
        expected[index].number += 1
        return (message, from)
    }

    nonisolated(nonsending) mutating func echo(_ count: Int) async throws {
        for _ in 0..<count {
            let (message, from) = try await next()
            guard message.role == .asks else { throw BenchError("an unexpected message arrived") }
            if message.number == 0 { try await voice.reach(from) }
            try await say(.answers, to: [from], due: message.stamp)
        }
    }

    /// - Returns: microseconds of each round trip.
    nonisolated(nonsending) mutating func ping(_ count: Int, _ peer: PeerID) async throws -> [Double] {
        var taken: [Double] = []
        try await voice.reach(peer)
        for _ in 0..<count {
            let start = Self.now
            try await say(.asks, to: [peer], due: start)
            while true {
                let (message, _) = try await next()
                if message.role == .answers, message.stamp == start { break }
            }
            taken.append(Double(Self.now - start) / 1e3)
        }
        return taken
    }

    /// Sends as fast as messages are accepted.
    ///
    /// - Returns: when the first was sent.
    nonisolated(nonsending) mutating func send(_ count: Int, to peers: [PeerID]) async throws -> UInt64 {
        for peer in peers { try await voice.reach(peer) }
        let start = Self.now
        for _ in 0..<count { try await say(.tells, to: peers, due: Self.now) }
        return start
    }

    /// Open loop: each tick sends what is due, dated by when it was due however late it is sent.
    nonisolated(nonsending) mutating func pace(
        _ count: Int, perSecond rate: Int, to peer: PeerID, tick: Duration
    ) async throws {
        let clock = ContinuousClock()
        try await voice.reach(peer)
        let (start, began) = (Self.now, clock.now)
        var ticks: Int64 = 0
        var said = 0
        while said < count {
            ticks += 1
            try await clock.sleep(until: began + tick * Int(ticks), tolerance: .zero)
            let elapsed = tick.nanoseconds * ticks
            let due = min(count, Int(elapsed) * rate / 1_000_000_000)
            while said < due {
                try await say(.tells, to: [peer], due: start + UInt64(elapsed))
                said += 1
            }
        }
    }

    /// - Returns: when the last one came, and the delays in microseconds.
    nonisolated(nonsending) mutating func hear(_ count: Int) async throws -> (last: UInt64, delays: Sample) {
        var delays: [Double] = []
        delays.reserveCapacity(count)
        var last = Self.now
        for _ in 0..<count {
            let (message, _) = try await next()
            last = Self.now
            delays.append(Double(last) / 1e3 - Double(message.stamp) / 1e3)
        }
        return (last, Sample(delays))
    }
}
