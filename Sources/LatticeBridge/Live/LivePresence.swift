import LatticeCore
import LatticeCrypto

/// Which other bridges are at the broker, and when this one says that it is there.
///
/// Each greets about once a minute. A new one asks for the others, who answer within two seconds.
struct LivePresence: Sendable {
    /// A broker's users can invent bridges, so there is a limit.
    static let bridgesMax = 256
    /// Three greetings were missed.
    static let silenceMax: Duration = .seconds(210)
    /// The time in which those who are here answer a new one.
    static let answerWindow: Duration = .seconds(2)
    private static let echoMax: Duration = .seconds(10)
    private static let greetingEach: ClosedRange<Int64> = 50_000...70_000
    /// After this many records a broker may have dropped some for a slow reader, who sees that by the next greeting.
    private static let burst = 256
    private static let greetingAfterBurst: ClosedRange<Int64> = 2_000...5_000

    private struct Bridge {
        var heardAt: Duration
        /// It has answered a question, so it is none that was invented.
        var hasAnswered = false
    }

    private let me: LiveBridgeID
    private var bridges: [LiveBridgeID: Bridge] = [:]
    private var greetsAt: Duration?
    private var isNew = true
    /// When this bridge greeted first since it is connected, and whether that came back, as all that it publishes does.
    private var greetedAt: Duration?
    private var isHeard = false
    /// Records since the last greeting.
    private var published = 0

    init(me: LiveBridgeID) { self.me = me }

    var count: Int { bridges.count }

    /// Its own greetings come back.
    var hearsItself: Bool { isHeard }

    /// Its own greeting did not come back: a broker does not say which rights are missing.
    func isDeaf(at now: Duration) -> Bool {
        !isHeard && greetedAt.map { now - $0 > Self.echoMax } ?? false
    }

    mutating func connected(at now: Duration) {
        (greetsAt, isNew, greetedAt, isHeard) = (now, true, nil, false)
    }

    mutating func disconnected() {
        (greetsAt, greetedAt) = (nil, nil)
        bridges = [:]
    }

    /// - Parameter isNew: whether it asks who is here.
    /// - Returns: whether it was not here before.
    mutating func heard(
        _ bridge: LiveBridgeID, isNew: Bool, at now: Duration, using random: inout SeededGenerator
    ) -> Bool {
        guard bridge != me else {
            isHeard = true
            return false
        }
        if isNew, let next = greetsAt {
            greetsAt = min(next, now + Self.chance(0...Self.answerWindow.nanoseconds / 1_000_000, &random))
        }
        if bridges[bridge] == nil {
            guard bridges.count < Self.bridgesMax else { return false }
            bridges[bridge] = Bridge(heardAt: now)
            return true
        }
        bridges[bridge]?.heardAt = now
        return false
    }

    /// - Parameter count: how many records this bridge has published.
    mutating func published(_ count: Int, at now: Duration, using random: inout SeededGenerator) {
        let wasBurst = published >= Self.burst
        published += count
        guard !wasBurst, published >= Self.burst, let next = greetsAt else { return }
        greetsAt = min(next, now + Self.chance(Self.greetingAfterBurst, &random))
    }

    mutating func answered(_ bridge: LiveBridgeID, at now: Duration) {
        bridges[bridge]?.hasAnswered = true
        bridges[bridge]?.heardAt = now
    }

    /// - Returns: whether to greet as a new one; `nil` if it is not yet time to greet.
    mutating func greeting(at now: Duration, using random: inout SeededGenerator) -> Bool? {
        for (bridge, facts) in bridges where now - facts.heardAt > Self.silenceMax { bridges[bridge] = nil }
        guard let next = greetsAt, now >= next else { return nil }
        greetsAt = now + Self.chance(Self.greetingEach, &random)
        published = 0
        if greetedAt == nil { greetedAt = now }
        defer { isNew = false }
        return isNew
    }

    /// Who answers a question: the one with the smallest hash of both, so that questions spread over all; first those who have
    /// answered before.
    func answerer(of session: UInt64, without tried: Set<LiveBridgeID>) -> LiveBridgeID? {
        let here = bridges.filter { !tried.contains($0.key) }
        let proven = here.filter(\.value.hasAnswered)
        return (proven.isEmpty ? here : proven).keys.min { Self.rank($0, session) < Self.rank($1, session) }
    }

    func isHere(_ bridge: LiveBridgeID) -> Bool { bridges[bridge] != nil }

    private static func rank(_ bridge: LiveBridgeID, _ session: UInt64) -> Bytes32 {
        let words = [session, bridge.rawValue]
        return Digest.blake2b256(
            words.flatMap { word in
                stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
            })
    }

    /// Milliseconds.
    static func chance(_ range: ClosedRange<Int64>, _ random: inout SeededGenerator) -> Duration {
        .milliseconds(Int64.random(in: range, using: &random))
    }
}
