package import LatticeCore

/// The fate of one line: when and after how many hops each peer was shown it.
package struct RecordTrack: Sendable {
    package let id: RecordID
    package let author: Int
    /// In milliseconds.
    package let saidAt: Int64
    /// When each peer was shown the record, or one of the values below.
    private var shownAt: [Int32]
    package private(set) var hopsMax: UInt8 = 0
    /// Copies that arrived at running peers, duplicates included.
    package internal(set) var receptions = 0
    /// Copies that honest peers sent.
    package internal(set) var frames = 0
    /// Copies that the network lost, duplicated or delayed; each may have to be sent again.
    var mishaps = 0
    /// Connections open when it was said, and how many had been opened by then.
    let openAtFirst: Int
    let openedAtFirst: Int
    let tallyAtFirst: FrameTally

    private static let never: Int32 = -1

    init(
        id: RecordID, author: Int, saidAt: Int64, peers: Int, openAtFirst: Int, openedAtFirst: Int,
        tallyAtFirst: FrameTally
    ) {
        self.id = id
        self.author = author
        self.saidAt = saidAt
        shownAt = Array(repeating: Self.never, count: peers)
        self.openAtFirst = openAtFirst
        self.openedAtFirst = openedAtFirst
        self.tallyAtFirst = tallyAtFirst
    }

    /// When the peer was shown the record in its current life, or in an earlier one that its disk remembers.
    package func shown(at peer: Int) -> Int64? {
        let time = shownAt[peer]
        return switch time {
        case Self.never: nil
        case 0...: Int64(time)
        default: -Int64(time) - 2
        }
    }

    /// How a record counts that the mesh considers new.
    enum Showing {
        case first
        /// The disk has it from an earlier life, so it is not shown again.
        case known
        /// It was shown before in this life.
        case again
    }

    mutating func show(at peer: Int, hops: UInt8, at time: Int64) -> Showing {
        switch shownAt[peer] {
        case Self.never:
            shownAt[peer] = Int32(time)
            hopsMax = max(hopsMax, hops)
            return .first
        case 0...: return .again
        default: return .known
        }
    }

    /// Ends a life of the peer. Shown lines stay on its disk or are forgotten.
    mutating func died(_ peer: Int, withDisk: Bool) {
        if !withDisk {
            shownAt[peer] = Self.never
        } else if shownAt[peer] >= 0 {
            // Values below `never` encode the time in an earlier life, so one number holds both.
            shownAt[peer] = -shownAt[peer] - 2
        }
    }
}
