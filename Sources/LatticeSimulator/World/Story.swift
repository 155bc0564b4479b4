import LatticeCore
import LatticeMesh
import LatticeWire

/// A readable log of a run, one line for each event.
package struct Story {
    /// Whether anything is logged.
    package var isOn = false
    private var lines: [String] = []

    /// The lines since the last call.
    package mutating func take() -> [String] {
        defer { lines.removeAll() }
        return lines
    }

    mutating func tell(_ text: @autoclosure () -> String, at time: Int64) {
        guard isOn else { return }
        lines.append("\(Self.clock(time))  \(text())")
    }

    mutating func tell(
        _ outcomes: [KeptRecord], _ dropped: [RecordID], of peer: Int, in records: Records, at time: Int64
    ) {
        guard isOn else { return }
        for kept in outcomes {
            tell("the store of peer \(peer) says of r\(records.number(of: kept.id)): \(kept.outcome)", at: time)
        }
        guard !dropped.isEmpty else { return }
        let numbers = dropped.map { "r\(records.number(of: $0))" }
        tell("the store of peer \(peer) lets go \(numbers.joined(separator: ", "))", at: time)
    }

    /// A frame about stores; others are not logged.
    mutating func tell(_ frame: Frame, from peer: Int, to receiver: Int, in records: Records, at time: Int64) {
        guard isOn else { return }
        let words: String
        switch frame {
        case .comparison(let comparison):
            let scope = "\(comparison.scope.group)\(comparison.scope.room == nil ? "" : ", one room")"
            words = "\(comparison.side) \(comparison.session) (\(scope)) of \(comparison.message.count) bytes"
        case .offer(let list): words = "an offer of \(Self.numbers(list, in: records))"
        case .fetch(let list): words = "its wish for \(Self.numbers(list, in: records))"
        case .lack(let list): words = "its regrets for \(Self.numbers(list, in: records))"
        case .stored(let list): words = "its thanks for \(Self.numbers(list, in: records))"
        case .keeping: words = "what it keeps"
        default: return
        }
        tell("peer \(peer) sends peer \(receiver) \(words)", at: time)
    }

    private static func numbers(_ list: RecordIDs, in records: Records) -> String {
        let known = list.ids.map { records.number(of: $0) }.filter { records.all.indices.contains($0) }
        let made = list.ids.count - known.count
        return (known.map { "r\($0)" } + (made > 0 ? ["\(made) that never were"] : [])).joined(separator: ", ")
    }

    /// Milliseconds as seconds, padded for alignment.
    static func clock(_ milliseconds: Int64) -> String {
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        let text = "\(milliseconds / 1_000).\(fraction) s"
        return String(repeating: " ", count: max(0, 9 - text.utf8.count)) + text
    }
}
