import LatticeAPI
import LatticeCore

/// The lines sent from this front, and what was reported about them. Other fronts of the same node send lines, too.
struct SaidLines {
    /// How many lines are remembered as typed here. A guess: more than are reported at once.
    private static let countMax = 16_384
    /// Up to this number the node is asked about each line by id; beyond it, about all lines.
    private static let askedMax = 1_000

    /// The lines of a request that has no answer yet.
    private var underWay: [SayLines.Line] = []
    private var recent = RecentSet<RecordID>(countMax: countMax)
    private var asked: [RecordID] = []
    private var unkept: [RecordID] = []
    private var hasTold = false
    private var hasReportedWaiting = false
    /// The last reported reason why lines are not stored.
    private var reasonReported: String?

    /// Which lines to count as unconfirmed.
    enum Scope: Equatable {
        case nothing
        case these([RecordID])
        case all
    }

    /// Whether one of my lines was typed here. The node may store it before it answers.
    func holds(_ line: Message) -> Bool {
        recent.contains(line.record) || underWay.contains { $0.text == line.text && $0.style == line.style }
    }

    mutating func begin(_ lines: [SayLines.Line]) { underWay = lines }

    mutating func end(_ outcomes: [SayLines.Outcome]) {
        underWay = []
        for case .said(let line) in outcomes { add(line.record, isKept: line.unkept == nil) }
    }

    var all: Scope {
        if hasTold || recent.count > asked.count { return .all }
        return asked.isEmpty ? .nothing : .these(asked)
    }

    /// Lines that are lost when the node's process ends.
    var lost: Scope {
        if unkept.isEmpty { return .nothing }
        return unkept.count > Self.askedMax ? .all : .these(unkept)
    }

    mutating func add(_ record: RecordID, isKept: Bool) {
        recent.insert(record)
        if asked.count < Self.askedMax { asked.append(record) }
        if !isKept, unkept.count <= Self.askedMax { unkept.append(record) }
    }

    /// A private message was sent; its record is not known here.
    mutating func addTold() { hasTold = true }

    mutating func connected() { hasReportedWaiting = false }

    /// The node itself reported a problem.
    mutating func noted(_ notice: Notice) {
        if notice.level == .problem { reasonReported = notice.words }
    }

    /// - Parameter fault: why the line is not stored; `nil` if it is.
    /// - Returns: a notice about the line just said, unless it repeats the last one.
    mutating func news(isWaiting: Bool, unkept fault: StoreFault?) -> Notice? {
        let reason = fault?.words
        guard isWaiting else {
            defer { reasonReported = reason }
            guard let reason, reason != reasonReported else { return nil }
            return Notice(.problem, code: "notKept", "Your messages are sent but not stored: \(reason)")
        }
        guard !hasReportedWaiting || (reason != nil && reason != reasonReported) else { return nil }
        hasReportedWaiting = true
        reasonReported = reason
        guard let reason else {
            let text = "Nobody is connected yet. Your messages are stored and sent when somebody connects."
            return Notice(.information, code: "waiting", text)
        }
        let text = "Nobody is connected, and your messages are lost if nobody connects before you leave: \(reason)"
        return Notice(.problem, code: "notKept", text)
    }
}
