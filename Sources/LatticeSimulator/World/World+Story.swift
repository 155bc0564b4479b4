import LatticeCore
import LatticeMesh
import LatticeWire

// A readable log of a run, one line for each event.
extension World {
    /// The lines since the last call.
    package mutating func takeStory() -> [String] {
        defer { story.removeAll() }
        return story
    }

    mutating func tell(_ text: String) {
        story.append("\(Self.clock(queue.now))  \(text)")
    }

    mutating func tellForward(_ track: Int, _ links: [LinkID], from peer: Int) {
        let receivers = links.map { "\(connections[$0.connection].peer(at: 1 - $0.end))" }
        guard !receivers.isEmpty else { return }
        tell("peer \(peer) passes r\(track) on to \(receivers.joined(separator: ", "))")
    }

    mutating func tell(_ frame: Frame, from peer: Int, to receiver: Int) {
        let words: String
        switch frame {
        case .comparison(let comparison):
            let scope = "\(comparison.scope.group)\(comparison.scope.room == nil ? "" : ", one room")"
            words = "\(comparison.side) \(comparison.session) (\(scope)) of \(comparison.message.count) bytes"
        case .offer(let list): words = "an offer of \(numbers(list))"
        case .fetch(let list): words = "its wish for \(numbers(list))"
        case .lack(let list): words = "its regrets for \(numbers(list))"
        case .stored(let list): words = "its thanks for \(numbers(list))"
        case .keeping: words = "what it keeps"
        default: return
        }
        tell("peer \(peer) sends peer \(receiver) \(words)")
    }

    private func numbers(_ list: RecordIDs) -> String {
        let known = list.ids.map { registry.number(of: $0) }.filter { records.indices.contains($0) }
        let made = list.ids.count - known.count
        return (known.map { "r\($0)" } + (made > 0 ? ["\(made) that never were"] : [])).joined(separator: ", ")
    }

    mutating func tell(_ weather: Weather) {
        guard isTold else { return }
        if case .say(let peer, _) = weather {
            if peers[peer].isUp { tell("peer \(peer) says r\(tracks.count)") }
        } else {
            tell(weather.description)
        }
    }

    mutating func tellKept(_ outcomes: [KeptRecord], _ dropped: [RecordID], by peer: Int) {
        for kept in outcomes {
            tell("the store of peer \(peer) says of r\(registry.number(of: kept.id)): \(kept.outcome)")
        }
        guard !dropped.isEmpty else { return }
        let numbers = dropped.map { "r\(registry.number(of: $0))" }
        tell("the store of peer \(peer) lets go \(numbers.joined(separator: ", "))")
    }

    /// Milliseconds as seconds, padded for alignment.
    static func clock(_ milliseconds: Int64) -> String {
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        let text = "\(milliseconds / 1_000).\(fraction) s"
        return String(repeating: " ", count: max(0, 9 - text.utf8.count)) + text
    }
}

extension Weather: CustomStringConvertible {
    package var description: String {
        switch self {
        case .start(let peer, _): "peer \(peer) starts"
        case .restart(let peer, true, _): "peer \(peer) starts again with its disk"
        case .restart(let peer, false, _): "peer \(peer) starts again without its disk"
        case .sight(let left, let right, true, _): "peers \(left) and \(right) sight each other"
        case .sight(let left, let right, false, _): "peer \(left) sights peer \(right)"
        case .discover(let peer, _): "peer \(peer) and all within its reach sight each other"
        case .give(let peer, let other, _): "peer \(peer) is given the address of peer \(other)"
        case .say(let peer, _): "peer \(peer) says a line"
        case .write(let peer, let writing, _): "peer \(peer) writes: \(writing)"
        case .failStore(let peer, true, _): "the store of peer \(peer) takes nothing"
        case .failStore(let peer, false, _): "the store of peer \(peer) works again"
        case .crash(let peer, _): "peer \(peer) is killed"
        case .leave(let peer, _): "peer \(peer) leaves"
        case .cut(let left, let right, _): "nothing passes between peers \(left) and \(right)"
        case .cutOneWay(let from, let to, _): "nothing passes from peer \(from) to peer \(to)"
        case .mend(let left, let right, _): "peers \(left) and \(right) reach each other again"
        case .partition(let groups, _): "the network falls apart: \(Self.words(for: groups))"
        case .heal: "the network is whole again"
        case .skewClock(let peer, let skew, _): "the clock of peer \(peer) is \(skew) ms ahead"
        case .slow(let peer, let delay, _): "peer \(peer) is \(delay) ms slower than others"
        case .hostile(let peer, let hostility, _): "peer \(peer) turns hostile: \(hostility.rawValue)"
        case .calm: "the storm is over"
        }
    }

    private static func words(for groups: [[Int]]) -> String {
        groups.map { group in group.map(String.init).joined(separator: " ") }.joined(separator: " | ")
    }
}
