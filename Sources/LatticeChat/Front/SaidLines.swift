import LatticeAPI
import LatticeCore

/// What was said in rooms from here, and what people were told of what becomes of it. Other fronts of the same node say lines, too.
struct SaidLines {
    /// Of so many it is known that they were typed here. A guess: more than are told of at once.
    private static let countMax = 16_384
    /// Of so many the node is asked by name; of more, how many lines there are at all.
    private static let askedMax = 1_000

    private var recent = RecentSet<RecordID>(countMax: countMax)
    private var asked: [RecordID] = []
    private var unkept: [RecordID] = []
    private var hasTold = false
    private var isToldOfWaiting = false
    /// Why what is said is not kept, as people were told it last.
    private var reasonTold: String?

    /// Which of them is what was not confirmed by anybody to be counted among.
    enum Scope: Equatable {
        case nothing
        case these([RecordID])
        case all
    }

    func contains(_ record: RecordID) -> Bool { recent.contains(record) }

    /// What was said from here.
    var all: Scope {
        if hasTold || recent.count > asked.count { return .all }
        return asked.isEmpty ? .nothing : .these(asked)
    }

    /// Those of them that end with the node's process.
    var lost: Scope {
        if unkept.isEmpty { return .nothing }
        return unkept.count > Self.askedMax ? .all : .these(unkept)
    }

    mutating func add(_ record: RecordID, isKept: Bool) {
        recent.insert(record)
        if asked.count < Self.askedMax { asked.append(record) }
        if !isKept, unkept.count <= Self.askedMax { unkept.append(record) }
    }

    /// Something was said to one person, by a record that this does not know.
    mutating func addTold() { hasTold = true }

    /// Somebody is there now.
    mutating func connected() { isToldOfWaiting = false }

    /// People were told of trouble by the node itself.
    mutating func noted(_ notice: Notice) {
        if notice.level == .problem { reasonTold = notice.text }
    }

    /// - Parameter reason: why it is not kept; `nil` where it is.
    /// - Returns: what people are to be told of a line that was just said, if it is not what they know.
    mutating func news(isWaiting: Bool, unkept reason: String?) -> Notice? {
        guard isWaiting else {
            defer { reasonTold = reason }
            guard let reason, reason != reasonTold else { return nil }
            return Notice(.problem, code: "notKept", "Your messages are sent but not stored: \(reason)")
        }
        guard !isToldOfWaiting || (reason != nil && reason != reasonTold) else { return nil }
        isToldOfWaiting = true
        reasonTold = reason
        guard let reason else {
            let text = "Nobody is connected yet. Your messages are stored and sent when somebody connects."
            return Notice(.information, code: "waiting", text)
        }
        let text = "Nobody is connected, and your messages are lost if nobody connects before you leave: \(reason)"
        return Notice(.problem, code: "notKept", text)
    }
}
