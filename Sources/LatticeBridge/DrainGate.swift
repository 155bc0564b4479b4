/// Holds back publishing until everything that others have published is read, so that nothing is published a second time.
///
/// A broker refuses a parcel that it has only for as long as its window lasts. After a longer time without contact the gate
/// closes again, even if no error was seen.
struct DrainGate {
    /// Half of the broker's window of ten minutes.
    static let contactMax: Duration = .seconds(300)

    /// Sequences that have to be reached first.
    private var targets: [BridgeSpan: UInt64] = [:]
    /// When each stream was last heard of, since the bridge began.
    private var contacts: [BridgeSpan: Duration] = [:]
    private let spans: [BridgeSpan]

    init(_ spans: [BridgeSpan] = BridgeSpan.records) { self.spans = spans }

    /// Whether the end of this stream has to be asked for, as at the start.
    func isStale(_ span: BridgeSpan, at now: Duration) -> Bool {
        contacts[span].map { now - $0 > Self.contactMax } ?? true
    }

    mutating func met(_ span: BridgeSpan, last: UInt64, read: UInt64, at now: Duration) {
        (targets[span], contacts[span]) = (last, now)
        reached(span, read, at: now)
    }

    /// Ignored for a stale stream, whose end must be asked for again.
    mutating func reached(_ span: BridgeSpan, _ sequence: UInt64, at now: Duration) {
        guard !isStale(span, at: now) else { return }
        if let target = targets[span], sequence >= target { targets[span] = nil }
        contacts[span] = now
    }

    /// Something went wrong: the stream may be another one now.
    mutating func lost(_ span: BridgeSpan) { contacts[span] = nil }

    func isOpen(at now: Duration) -> Bool {
        targets.isEmpty && !spans.contains { isStale($0, at: now) }
    }
}
