/// Assembles UTF-8 across chunk boundaries. Each maximal invalid part becomes one U+FFFD (Unicode 15, section 3.9,
/// table 3-7).
struct ScalarAssembler: Equatable, Sendable {
    private var pending: [UInt8] = []

    var isInsideScalar: Bool { !pending.isEmpty }

    /// Takes one byte and appends completed scalars. A byte that does not continue a scalar starts over.
    mutating func push(_ byte: UInt8, into scalars: inout [Unicode.Scalar]) {
        if let first = pending.first {
            if Self.mayFollow(byte, first: first, position: pending.count) {
                pending.append(byte)
                if pending.count == Self.length(first: first) { finish(into: &scalars) }
                return
            }
            breakOff(into: &scalars)
        }
        if byte < 0x80 {
            scalars.append(Unicode.Scalar(byte))
        } else if Self.length(first: byte) > 1 {
            pending.append(byte)
        } else {
            scalars.append("\u{FFFD}")
        }
    }

    mutating func breakOff(into scalars: inout [Unicode.Scalar]) {
        guard isInsideScalar else { return }
        pending.removeAll(keepingCapacity: true)
        scalars.append("\u{FFFD}")
    }

    private mutating func finish(into scalars: inout [Unicode.Scalar]) {
        scalars.append(contentsOf: String(decoding: pending, as: UTF8.self).unicodeScalars)
        pending.removeAll(keepingCapacity: true)
    }

    /// The length in bytes of the scalar that `first` begins; 1 if it begins none.
    private static func length(first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    private static func mayFollow(_ byte: UInt8, first: UInt8, position: Int) -> Bool {
        guard position == 1 else { return (0x80...0xBF).contains(byte) }
        return switch first {
        case 0xE0: (0xA0...0xBF).contains(byte)
        case 0xED: (0x80...0x9F).contains(byte)
        case 0xF0: (0x90...0xBF).contains(byte)
        case 0xF4: (0x80...0x8F).contains(byte)
        default: (0x80...0xBF).contains(byte)
        }
    }
}
