import LatticeCore

/// The instance name for announcing us, and the next one if it is taken. The TXT record has our id, so any name will
/// do.
struct InstanceName: Hashable, Sendable {
    private let wanted: PeerName
    private let peer: PeerPrefix
    /// How often a name was found taken.
    private(set) var clashCount = 0

    /// RFC 6762 section 8.1: after fifteen conflicts a host must slow down …
    static let clashesWithoutPauseMax = 15
    /// … to one attempt in five seconds.
    static let pause = Duration.seconds(5)
    /// Beyond "alice #3" the name is popular, and counting on would take as many attempts as there are peers with it.
    private static let countedClashesMax = 2

    init(_ advertisement: Advertisement) {
        wanted = advertisement.name
        peer = advertisement.peer
    }

    /// "alice", "alice #2", "alice #3", then with more and more digits of our id: "alice (3f9a)"; cut between
    /// characters to fit a label.
    var label: String {
        guard clashCount > 0 else { return wanted.text }
        return wanted.label(ending: clashCount <= Self.countedClashesMax ? " #\(clashCount + 1)" : " (\(proof))")
    }

    /// How long to wait before trying `label`.
    var delay: Duration { clashCount > Self.clashesWithoutPauseMax ? Self.pause : .zero }

    mutating func clashed() {
        clashCount += 1
    }

    /// Four digits of our id, then eight, twelve, all sixteen, and after that a count too.
    private var proof: String {
        let digits = (clashCount - Self.countedClashesMax) * 4
        let all = peer.description
        return digits <= all.count ? String(all.prefix(digits)) : "\(all)-\(clashCount)"
    }
}

extension PeerName {
    /// The name, cut between characters, and the ending; together a label.
    ///
    /// - Precondition: the ending alone is shorter than a label.
    func label(ending: String) -> String {
        var stem = text
        while stem.utf8.count + ending.utf8.count > Self.bytesMax { stem.removeLast() }
        return stem + ending
    }
}
