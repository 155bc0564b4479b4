import LatticeWire

/// Frames and bytes sent, by type.
package struct FrameTally: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let name: String
        package var frames = 0
        package var bytes = 0
    }

    /// In the order of `FrameType`.
    package private(set) var rows = FrameType.allCases.map { Row(name: $0.name) }

    package init() {}

    package var frames: Int { rows.reduce(0) { $0 + $1.frames } }
    package var bytes: Int { rows.reduce(0) { $0 + $1.bytes } }

    func bytes(of types: [FrameType]) -> Int { types.reduce(0) { $0 + rows[$1.rawValue].bytes } }

    mutating func add(_ type: FrameType, frames: Int, bytes: Int) {
        rows[type.rawValue].frames += frames
        rows[type.rawValue].bytes += bytes
    }

    /// The difference to an earlier tally.
    package func since(_ earlier: FrameTally) -> FrameTally {
        var difference = self
        for index in rows.indices {
            difference.rows[index].frames -= earlier.rows[index].frames
            difference.rows[index].bytes -= earlier.rows[index].bytes
        }
        return difference
    }
}

/// Frame types in the simulator. The only place that names every case of `Frame`.
package enum FrameType: Int, CaseIterable, Sendable {
    case goodbye
    case ping
    case pong
    case rekey
    case invitation
    case accept
    case refuse
    case record
    case probe
    case have
    case graft
    case prune
    case walk
    case shuffle
    case keeping
    case comparison
    case offer
    case fetch
    case supply
    case lack
    case stored
    case data
    case dataAnswer
    case presence

    init(_ frame: Frame) {
        self =
            switch frame {
            case .goodbye: .goodbye
            case .ping: .ping
            case .pong: .pong
            case .rekey: .rekey
            case .invitation: .invitation
            case .accept: .accept
            case .refuse: .refuse
            case .record: .record
            case .probe: .probe
            case .have: .have
            case .graft: .graft
            case .prune: .prune
            case .walk: .walk
            case .shuffle: .shuffle
            case .keeping: .keeping
            case .comparison: .comparison
            case .offer: .offer
            case .fetch: .fetch
            case .supply: .supply
            case .lack: .lack
            case .stored: .stored
            case .data: .data
            case .dataAnswer: .dataAnswer
            case .presence: .presence
            }
    }

    var name: String { "\(self)" }

    /// Whether it is a frame for reconciling stores.
    var isOfStores: Bool {
        switch self {
        case .keeping, .comparison, .offer, .fetch, .supply, .lack, .stored: true
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .record, .probe, .have, .graft, .prune,
            .walk, .shuffle, .data, .dataAnswer, .presence:
            false
        }
    }

    /// Whether loss, duplication and reordering affect it: see `NetworkConditions`.
    var isExpendable: Bool {
        switch self {
        case .record, .have, .graft, .prune, .walk, .shuffle, .comparison, .offer, .fetch, .supply, .lack, .stored,
            .data, .dataAnswer, .presence:
            true
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .probe, .keeping: false
        }
    }
}
