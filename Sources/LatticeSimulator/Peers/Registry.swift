import LatticeCore
import LatticeWire

/// Maps ids, addresses and record ids of peers to their numbers by arithmetic alone.
///
/// Ids are scattered over their range, so that the order of two ids does not follow their numbers.
struct Registry {
    // An odd number has an inverse modulo 2^64, so the first word of an id determines the number.
    private static let scatter: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let gather: UInt64 = 0xF1DE_83E1_9937_733D

    private let salt: UInt64

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed ^ 0x6E61_6D65)
        salt = generator.next()
    }

    func peer(_ number: Int) -> PeerID { PeerID(bytes(number)) }

    func number(of peer: PeerID) -> Int { number(of: peer.key) }

    func record(_ number: Int) -> RecordID { RecordID(bytes(number)) }

    func number(of record: RecordID) -> Int { number(of: record.hash) }

    private func number(of bytes: Bytes32) -> Int {
        Int(truncatingIfNeeded: (bytes.leadingWord ^ salt) &* Self.gather &- 1)
    }

    private func bytes(_ number: Int) -> Bytes32 {
        let word = (UInt64(truncatingIfNeeded: number) &+ 1) &* Self.scatter ^ salt
        var generator = SeededGenerator(seed: word)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for part in [word, generator.next(), generator.next(), generator.next()] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: part >> shift))
            }
        }
        guard let key = Bytes32(bytes) else { preconditionFailure("32 bytes are 32 bytes") }
        return key
    }

    static func name(of number: Int) -> PeerName {
        do {
            return try PeerName("peer\(number)")
        } catch {
            preconditionFailure("'peer\(number)' is a name")
        }
    }

    static func address(of number: Int) -> PeerAddress {
        PeerAddress(host: "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)", port: 1)
    }

    /// `nil` for an address that no peer of any world has.
    static func number(at address: PeerAddress) -> Int? {
        var parts: [Int] = [0]
        for byte in address.host.utf8 {
            if byte == UInt8(ascii: ".") {
                parts.append(0)
            } else {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                parts[parts.count - 1] = parts[parts.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        guard parts.count == 4, parts[0] == 10, address.port == 1 else { return nil }
        return parts[1] << 16 | parts[2] << 8 | parts[3]
    }
}
