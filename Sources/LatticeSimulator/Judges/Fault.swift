package struct Fault: Hashable, Sendable, CustomStringConvertible {
    package let judge: String
    /// In milliseconds.
    package let time: Int64
    package let peer: Int?
    package let text: String

    /// Equal for the same fault at different times.
    var matter: String { "\(judge) \(peer ?? -1) \(text)" }

    package var description: String {
        let place = peer.map { "peer \($0): " } ?? ""
        return "\(Story.clock(time))  \(judge): \(place)\(text)"
    }
}

/// The first faults of one judge; a broken rule is broken again at every turn.
struct FaultList {
    static let countMax = 20
    private(set) var faults: [Fault] = []
    private(set) var count = 0
    let judge: String

    init(of judge: String) {
        self.judge = judge
    }

    mutating func add(_ text: @autoclosure () -> String, at time: Int64, peer: Int? = nil) {
        count += 1
        guard faults.count < Self.countMax else { return }
        faults.append(Fault(judge: judge, time: time, peer: peer, text: text()))
    }
}
