/// Pieces of one blob: a bit for each number.
package struct PieceSet: Hashable, Sendable {
    /// The number of pieces of the blob.
    package let pieceCount: Int
    /// The number of pieces in the set.
    package private(set) var count = 0
    private var words: [UInt64]

    /// An empty set.
    package init(of pieceCount: Int) {
        self.pieceCount = pieceCount
        words = Array(repeating: 0, count: (pieceCount + 63) / 64)
    }

    package var isEmpty: Bool { count == 0 }
    package var isComplete: Bool { count == pieceCount }

    package func contains(_ number: Int) -> Bool {
        words[number / 64] & 1 << UInt64(number % 64) != 0
    }

    /// - Returns: whether it was not in the set.
    @discardableResult
    package mutating func insert(_ number: Int) -> Bool {
        guard !contains(number) else { return false }
        words[number / 64] |= 1 << UInt64(number % 64)
        count += 1
        return true
    }

    /// - Returns: whether it was in the set.
    @discardableResult
    package mutating func remove(_ number: Int) -> Bool {
        guard contains(number) else { return false }
        words[number / 64] &= ~(1 << UInt64(number % 64))
        count -= 1
        return true
    }

    package mutating func insert(_ range: Range<Int>) { set(range) { $0 | $1 } }

    package mutating func remove(_ range: Range<Int>) { set(range) { $0 & ~$1 } }

    private mutating func set(_ range: Range<Int>, _ change: (UInt64, UInt64) -> UInt64) {
        precondition(range.lowerBound >= 0 && range.upperBound <= pieceCount, "ranges of strangers are checked")
        var number = range.lowerBound
        while number < range.upperBound {
            let (word, first) = number.quotientAndRemainder(dividingBy: 64)
            let length = min(64 - first, range.upperBound - number)
            let mask = (length == 64 ? UInt64.max : (1 << UInt64(length)) - 1) << UInt64(first)
            let changed = change(words[word], mask)
            count += changed.nonzeroBitCount - words[word].nonzeroBitCount
            words[word] = changed
            number += length
        }
    }

    /// The first piece at or after `number` that is in the set, or that is not.
    private func first(isIn: Bool, from number: Int) -> Int? {
        guard number < pieceCount else { return nil }
        var index = number / 64
        var word = (isIn ? words[index] : ~words[index]) & (UInt64.max << UInt64(number % 64))
        while word == 0 {
            index += 1
            guard index < words.count else { return nil }
            word = isIn ? words[index] : ~words[index]
        }
        let found = 64 * index + word.trailingZeroBitCount
        return found < pieceCount ? found : nil
    }

    /// The first piece at or after `number` that is in both sets.
    package func first(from number: Int = 0, in other: PieceSet) -> Int? {
        guard number < pieceCount, pieceCount == other.pieceCount else { return nil }
        var mask = UInt64.max << UInt64(number % 64)
        for index in number / 64..<words.count {
            let word = words[index] & other.words[index] & mask
            if word != 0 { return 64 * index + word.trailingZeroBitCount }
            mask = .max
        }
        return nil
    }

    package func first(from number: Int = 0) -> Int? { first(isIn: true, from: number) }

    package func firstMissing(from number: Int = 0) -> Int? { first(isIn: false, from: number) }

    /// The longest run of pieces in the set that begins at the first one at or after `number`.
    package func nextRange(from number: Int = 0) -> Range<Int>? {
        guard let start = first(from: number) else { return nil }
        return start..<(firstMissing(from: start) ?? pieceCount)
    }

    /// All of them, in ascending order, none adjacent to the next.
    package var ranges: [Range<Int>] {
        var all: [Range<Int>] = []
        var next = nextRange()
        while let range = next {
            all.append(range)
            next = nextRange(from: range.upperBound)
        }
        return all
    }

    // MARK: - Bytes

    /// One bit a piece: piece 0 is the lowest bit of the first byte.
    package var bytes: [UInt8] {
        (0..<(pieceCount + 7) / 8).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(8 * ($0 % 8))) }
    }

    /// - Returns: `nil` if the bytes have another length, or bits beyond the last piece.
    package init?(of pieceCount: Int, _ bytes: [UInt8]) {
        self.init(of: pieceCount)
        guard bytes.count == (pieceCount + 7) / 8 else { return nil }
        for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8)) }
        if let last = words.last, last >> UInt64((pieceCount - 1) % 64) > 1 { return nil }
        count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
