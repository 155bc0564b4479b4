import LatticeCore
import LatticeStore
import LatticeWire

/// Plans the prekeys of a persona: which to destroy, which to make, and whether to publish.
///
/// - A one-time key is destroyed a day after the first message sealed to it: two senders may have taken it at about the same
///   time. An unused one is published for 23 days and destroyed after 30.
/// - The rotating key is replaced when it is a day old and was used, or a week old; it is destroyed five days later.
/// - Nothing is destroyed in the first ten minutes: a node that was away opens waiting messages first.
/// - Keys are published when the rotating key changes, when fewer than half of the one-time keys are left, and an hour after
///   one was used, so that nobody takes a key that is about to be destroyed.
/// - One-time keys are made while fewer than 1,024 are kept, including those used today. So an attacker who uses them up does
///   not keep disk and mesh busy; until the next day messages are sealed to the rotating key.
struct PrekeyPlan: Equatable {
    /// A guess: more messages a day than anybody reads.
    static let oneTimeKeptMax = 1_024
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour
    private static let usedFor = day
    private static let listedFor = 23 * day
    private static let unusedFor = 30 * day
    private static let replacedFor = 5 * day
    private static let settled: Duration = .seconds(600)

    private(set) var destroyed: [UInt64] = []
    private(set) var makesRotating: Bool
    /// One-time keys to make; 0 if nothing is published.
    private(set) var oneTimeToMake = 0
    private(set) var publishes: Bool
    /// The rotating key that stays published.
    private(set) var rotating: Prekey?
    private(set) var oneTime: [Prekey]

    /// - Parameters:
    ///   - kept: all stored keys.
    ///   - published: the published keys and their date; `nil` if none.
    ///   - ranFor: time since this node began.
    ///   - oneTimeMax: number of one-time keys to publish.
    init(
        _ kept: [StoredPrekey], published: (body: PrekeysBody, date: WallTime)?, at wallTime: WallTime,
        ranFor: Duration,
        oneTimeMax: Int = PrekeysBody.oneTimeMax
    ) {
        let oneTimeMin = oneTimeMax / 2
        let now = wallTime.milliseconds
        let current = kept.last { $0.isRotating && $0.replaced == nil }
        makesRotating =
            current.map { key in
                let age = now - key.made.milliseconds
                return age >= 7 * Self.day || (age >= Self.day && key.used != nil)
            } ?? true
        rotating = makesRotating ? nil : current?.prekey
        let fresh = kept.filter {
            !$0.isRotating && $0.used == nil && now - $0.made.milliseconds < Self.listedFor
        }
        oneTime = fresh.suffix(oneTimeMax).map(\.prekey)
        // A used or destroyed key must not be taken again.
        let settledOnes = Set(
            kept.filter { key in
                !key.isRotating && key.used.map { now - $0.milliseconds < Self.hour } ?? true
            }.map(\.prekey))
        let isStale = published.map { told in
            told.body.rotating != current?.prekey || now - told.date.milliseconds >= 7 * Self.day
                || !told.body.oneTime.allSatisfy(settledOnes.contains)
        }
        let room = max(0, Self.oneTimeKeptMax - kept.count { !$0.isRotating })
        let couldMake = min(oneTimeMax - oneTime.count, room)
        let isShort = oneTime.count < oneTimeMin && oneTime.count + couldMake >= oneTimeMin
        publishes = makesRotating || isShort || isStale ?? true
        if publishes { oneTimeToMake = couldMake }
        guard ranFor >= Self.settled else { return }
        destroyed = kept.filter { Self.isOver($0, at: now) }.map(\.prekey.id)
    }

    private static func isOver(_ key: StoredPrekey, at now: Int64) -> Bool {
        if key.isRotating { return key.replaced.map { now - $0.milliseconds >= replacedFor } ?? false }
        if let used = key.used { return now - used.milliseconds >= usedFor }
        return now - key.made.milliseconds >= unusedFor
    }
}
