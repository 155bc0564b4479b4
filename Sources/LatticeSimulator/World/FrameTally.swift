import LatticeWire

/// Frames and bytes sent, by type.
package struct FrameTally: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let name: String
        package var frames = 0
        package var bytes = 0
    }

    package private(set) var rows = Frame.TypeNumber.allCases.map { Row(name: "\($0)") }

    package init() {}

    package var frames: Int { rows.reduce(0) { $0 + $1.frames } }
    package var bytes: Int { rows.reduce(0) { $0 + $1.bytes } }

    func bytes(of types: [Frame.TypeNumber]) -> Int { types.reduce(0) { $0 + rows[Self.row($1)].bytes } }

    mutating func add(_ type: Frame.TypeNumber, frames: Int, bytes: Int) {
        let row = Self.row(type)
        rows[row].frames += frames
        rows[row].bytes += bytes
    }

    private static func row(_ type: Frame.TypeNumber) -> Int {
        Frame.TypeNumber.allCases.firstIndex(of: type) ?? 0
    }

    package func since(_ earlier: FrameTally) -> FrameTally {
        var difference = self
        for index in rows.indices {
            difference.rows[index].frames -= earlier.rows[index].frames
            difference.rows[index].bytes -= earlier.rows[index].bytes
        }
        return difference
    }
}

extension Frame.TypeNumber {
    var isOfStores: Bool {
        switch self {
        case .keeping, .comparison, .offer, .fetch, .serve, .lack, .stored: true
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .record, .probe, .have, .graft, .prune,
            .walk, .shuffle, .data, .dataAnswer, .presence, .want, .holds, .piece, .absent, .datagram:
            false
        }
    }

    /// Whether loss, duplication and reordering affect it: see `NetworkConditions`.
    var isExpendable: Bool {
        switch self {
        case .record, .have, .graft, .prune, .walk, .shuffle, .comparison, .offer, .fetch, .serve, .lack, .stored,
            .data, .dataAnswer, .presence, .want, .holds, .piece, .absent, .datagram:
            true
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .probe, .keeping: false
        }
    }
}
