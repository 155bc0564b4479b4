/// Thirty-two bytes stored inline: the form of every key and hash here, compared and hashed without heap allocation.
package struct Bytes32: Hashable, Comparable, Sendable {
    /// Big-endian; the first word holds the first eight bytes.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package static let zero = Bytes32(words: (0, 0, 0, 0))

    /// - Parameter words: big-endian.
    package init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// - Returns: `nil` unless `bytes` has exactly 32 elements.
    package init?(_ bytes: some Collection<UInt8>) {
        self.init(ArraySlice(bytes))
    }

    /// - Returns: `nil` unless `bytes` has exactly 32 elements.
    package init?(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    /// Every received record contains some of these, so this case is not left to the generic initialiser.
    ///
    /// - Returns: `nil` unless `bytes` has exactly 32 elements.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 32 else { return nil }
        let start = bytes.startIndex
        func word(_ index: Int) -> UInt64 {
            var value: UInt64 = 0
            for octet in start + 8 * index..<start + 8 * index + 8 { value = value << 8 | UInt64(bytes[octet]) }
            return value
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// - Parameter hex: 64 hexadecimal digits of either case.
    package init?(hex: some StringProtocol) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes)
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        append(to: &bytes)
        return bytes
    }

    package func append(to bytes: inout [UInt8]) {
        Self.append(words.0, to: &bytes)
        Self.append(words.1, to: &bytes)
        Self.append(words.2, to: &bytes)
        Self.append(words.3, to: &bytes)
    }

    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        var shift: UInt64 = 64
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    /// The first eight bytes as a big-endian number.
    package var leadingWord: UInt64 { words.0 }

    package var hex: String { Hex.string(bytes) }

    /// The number of leading hexadecimal digits that are equal, 0…64.
    package func digitsShared(with other: Bytes32) -> Int {
        let pairs = [
            (words.0, other.words.0), (words.1, other.words.1), (words.2, other.words.2), (words.3, other.words.3),
        ]
        let same = pairs.prefix { $0 == $1 }.count
        return same == 4 ? 64 : same * 16 + (pairs[same].0 ^ pairs[same].1).leadingZeroBitCount / 4
    }

    package static func == (left: Bytes32, right: Bytes32) -> Bool {
        // Word by word: without an optimiser, two tuples take ten times as long.
        left.words.0 == right.words.0 && left.words.1 == right.words.1 && left.words.2 == right.words.2
            && left.words.3 == right.words.3
    }

    package static func < (left: Bytes32, right: Bytes32) -> Bool {
        left.words < right.words
    }

    /// The first quarter is enough for keys and hashes: a collision on it takes 2^64 tries.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}
