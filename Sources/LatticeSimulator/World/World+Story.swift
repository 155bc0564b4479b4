import LatticeCore

// The story of a run, a line an occurrence, for a person to follow.
extension World {
    /// The lines since it was asked last.
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

    mutating func tell(_ weather: Weather) {
        guard isTold else { return }
        if case .say(let peer, _) = weather {
            if peers[peer].isUp { tell("peer \(peer) says r\(tracks.count)") }
        } else {
            tell(weather.description)
        }
    }

    /// Milliseconds as seconds, wide enough that lines stand below each other.
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
