import LatticeCore

/// Messages between peers of the benchmark: role, number, time, and padding to a given size.
///
/// `message := role:1 number:8 stamp:16 filling`, the numbers in hexadecimal digits.
struct MeshMessage: Equatable {
    enum Role: UInt8 {
        /// Expects a reply.
        case asks = 0x61
        case answers = 0x62
        /// Expects no reply.
        case tells = 0x63
    }

    static let bytesMin = 25
    let role: Role
    let number: UInt32
    /// When it was due, in nanoseconds of the clock that all processes share.
    let stamp: UInt64

    func bytes(filledTo count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0x78, count: max(count, Self.bytesMin))
        bytes[0] = role.rawValue
        for index in 0..<8 { bytes[1 + index] = Self.digit(UInt64(number) >> UInt64(28 - 4 * index)) }
        for index in 0..<16 { bytes[9 + index] = Self.digit(stamp >> UInt64(60 - 4 * index)) }
        return bytes
    }

    init(role: Role, number: UInt32, stamp: UInt64) {
        (self.role, self.number, self.stamp) = (role, number, stamp)
    }

    init(_ bytes: some Sequence<UInt8>) throws {
        var (index, number, stamp) = (0, UInt32(0), UInt64(0))
        var role: Role?
        for byte in bytes.prefix(Self.bytesMin) {
            switch index {
            case 0: role = Role(rawValue: byte)
            case 1...8: number = number << 4 | UInt32(try Self.value(byte))
            default: stamp = stamp << 4 | UInt64(try Self.value(byte))
            }
            index += 1
        }
        guard let role, index == Self.bytesMin else { throw BenchError("a message of another program arrived") }
        (self.role, self.number, self.stamp) = (role, number, stamp)
    }

    private static func digit(_ value: UInt64) -> UInt8 {
        let low = UInt8(truncatingIfNeeded: value & 15)
        return low < 10 ? 48 + low : 87 + low
    }

    private static func value(_ digit: UInt8) throws -> UInt8 {
        switch digit {
        case 48...57: digit - 48
        case 97...102: digit - 87
        default: throw BenchError("a message of another program arrived")
        }
    }
}

enum MeshMode: String, CaseIterable {
    /// As lines of a room: signed, broadcast, verified at each hop, delivered once.
    case signed
    /// As data for one program: encrypted on each link, not stored.
    case raw
}

/// Sends and receives the messages of one peer, in either mode.
protocol MeshVoice {
    /// Returns when messages can reach this peer.
    nonisolated(nonsending) func reach(_ peer: PeerID) async throws
    /// Sends to these peers, or in signed mode to everybody.
    nonisolated(nonsending) mutating func say(_ message: MeshMessage, to peers: [PeerID]) async throws
    nonisolated(nonsending) mutating func next() async throws -> (message: MeshMessage, from: PeerID)
}
