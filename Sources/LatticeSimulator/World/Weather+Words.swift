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
        case .speak(let peer, let bytes, let isUrgent, _):
            "peer \(peer) says \(bytes) bytes\(isUrgent ? " and claims that they are urgent" : "")"
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
