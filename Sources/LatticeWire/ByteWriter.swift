package import LatticeCore

/// Appends fields in the form that `ByteReader` reads.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving count: Int = 0) {
        bytes.reserveCapacity(count)
    }

    package mutating func byte(_ value: UInt8) {
        bytes.append(value)
    }

    package mutating func fixed(_ octets: some Sequence<UInt8>) {
        bytes.append(contentsOf: octets)
    }

    package mutating func fixed(_ value: Bytes32) {
        value.append(to: &bytes)
    }

    /// The low `count` bytes of `value`, big-endian.
    package mutating func integer(_ value: UInt64, bytes count: Int) {
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    package mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// The bytes that `varint` appends: one for each seven bits, and one for 0.
    package static func varintBytes(_ value: UInt64) -> Int {
        max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
    }

    package mutating func bytes(_ octets: some Collection<UInt8>) {
        varint(UInt64(octets.count))
        bytes.append(contentsOf: octets)
    }

    package mutating func text(_ text: String) {
        bytes(text.utf8)
    }
}
