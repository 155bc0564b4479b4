import Lattice

/// What all see: the strokes, and where each peer's cursor is.
actor Board {
    private var strokes: [(peer: Peer, points: [Point])] = []
    private var cursors: [Peer: Point] = [:]
    private var moves: [Peer: Int] = [:]

    func take(_ message: Received) {
        guard let points = Point.all(in: message.bytes) else { return }
        switch message.mode {
        case .reliable:
            strokes.append((message.peer, points))
            print("\(message.peer) draws \(points.map(\.description).joined(separator: " "))")
        case .unreliable:
            guard let last = points.last else { return }
            cursors[message.peer] = last
            moves[message.peer, default: 0] += 1
        }
    }

    /// One line for each cursor and the number of strokes.
    func show() {
        for (peer, point) in cursors.sorted(by: { $0.key.name < $1.key.name }) {
            print("\(peer) is at \(point) after \(moves[peer] ?? 0) moves")
        }
        print("\(strokes.count) strokes")
    }
}

/// A place on the board: 0–65535 from the left, and from the top.
struct Point: Hashable, CustomStringConvertible {
    let x: UInt16
    let y: UInt16

    var description: String { "\(x),\(y)" }

    var bytes: [UInt8] { [UInt8(x >> 8), UInt8(x & 255), UInt8(y >> 8), UInt8(y & 255)] }

    private static func number(_ bytes: [UInt8], at index: Int) -> UInt16 {
        UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }

    /// - Returns: `nil` for bytes of another kind of program.
    static func all(in bytes: [UInt8]) -> [Point]? {
        guard bytes.count.isMultiple(of: 4) else { return nil }
        return stride(from: 0, to: bytes.count, by: 4).map { start in
            Point(x: number(bytes, at: start), y: number(bytes, at: start + 2))
        }
    }
}
