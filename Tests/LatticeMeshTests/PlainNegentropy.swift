import LatticeCore
import LatticeCrypto

/// A second Negentropy, from the specification and with none of our means: sorted arrays that are walked from end to end.
/// Where the specification leaves a choice it does what the reference implementation does, loss included (`overflowed`).
struct PlainNegentropy {
    struct Item: Comparable {
        let timestamp: UInt64
        let id: [UInt8]

        static func < (left: Item, right: Item) -> Bool {
            if left.timestamp != right.timestamp { return left.timestamp < right.timestamp }
            return left.id.lexicographicallyPrecedes(right.id)
        }
    }

    let items: [Item]
    let limit: Int?
    let isInitiator: Bool
    var have: Set<[UInt8]> = []
    var need: Set<[UInt8]> = []
    /// How often a frame was too full for what a split had to say.
    var overflowed = 0

    init(_ items: [Item], limit: Int?, isInitiator: Bool) {
        self.items = items.sorted()
        self.limit = limit
        self.isInitiator = isInitiator
    }

    func begin() -> [UInt8] {
        var clock: UInt64 = 0
        return [0x61] + split(0, items.count, Item(timestamp: .max, id: []), &clock)
    }

    mutating func answer(_ message: [UInt8]) -> [UInt8] {
        var input = message.dropFirst()
        var output: [UInt8] = [0x61]
        var (clockIn, clockOut): (UInt64, UInt64) = (0, 0)
        var (lower, lowerBound) = (0, Item(timestamp: 0, id: []))
        var isSkipping = false
        while !input.isEmpty {
            let bound = takeBound(&input, &clockIn)
            let mode = takeVarint(&input)
            var upper = items.indices[lower...].first { !(items[$0] < bound) } ?? items.count
            var part: [UInt8] = []
            func endSkip() {
                if isSkipping { part += encode(lowerBound, &clockOut) + [0] }
                isSkipping = false
            }
            if mode == 0 {
                isSkipping = true
            } else if mode == 1 {
                let theirs = Array(input.prefix(16))
                input = input.dropFirst(16)
                if theirs == fingerprint(lower, upper) {
                    isSkipping = true
                } else {
                    endSkip()
                    part += split(lower, upper, bound, &clockOut)
                }
            } else {
                let theirs = Set((0..<takeVarint(&input)).map { _ in take(32, &input) })
                if isInitiator {
                    let ours = Set(items[lower..<upper].map(\.id))
                    have.formUnion(ours.subtracting(theirs))
                    need.formUnion(theirs.subtracting(ours))
                    isSkipping = true
                } else {
                    endSkip()
                    var (ids, end) = ([[UInt8]](), bound)
                    for index in lower..<upper {
                        if isTooMuch(output.count + ids.count * 32) {
                            (end, upper) = (items[index], index)
                            break
                        }
                        ids.append(items[index].id)
                    }
                    output += part + encode(end, &clockOut) + [2] + varint(UInt64(ids.count)) + ids.flatMap { $0 }
                    part = []
                }
            }
            if isTooMuch(output.count + part.count) {
                if !part.isEmpty { overflowed += 1 }
                return output + [0, 0, 1] + fingerprint(upper, items.count)
            }
            output += part
            (lower, lowerBound) = (upper, bound)
        }
        return output
    }

    private func isTooMuch(_ count: Int) -> Bool { limit.map { count > $0 - 200 } ?? false }

    private func split(_ lower: Int, _ upper: Int, _ bound: Item, _ clock: inout UInt64) -> [UInt8] {
        let count = upper - lower
        if count < 32 {
            let ids = items[lower..<upper].flatMap(\.id)
            return encode(bound, &clock) + [2] + varint(UInt64(count)) + ids
        }
        var output: [UInt8] = []
        var start = lower
        for part in 0..<16 {
            let end = start + count / 16 + (part < count % 16 ? 1 : 0)
            var next = bound
            if end < upper {
                let (last, first) = (items[end - 1], items[end])
                let shared = zip(last.id, first.id).prefix { $0 == $1 }.count
                let isOneTime = last.timestamp == first.timestamp
                next = Item(timestamp: first.timestamp, id: isOneTime ? Array(first.id.prefix(shared + 1)) : [])
            }
            output += encode(next, &clock) + [1] + fingerprint(start, end)
            start = end
        }
        return output
    }

    private func fingerprint(_ lower: Int, _ upper: Int) -> [UInt8] {
        var sum = [UInt8](repeating: 0, count: 32)
        for item in items[lower..<upper] {
            var carry = 0
            for index in 0..<32 {
                carry += Int(sum[index]) + Int(item.id[index])
                sum[index] = UInt8(carry % 256)
                carry /= 256
            }
        }
        return Array(Digest.sha256(sum + varint(UInt64(upper - lower)), []).prefix(16))
    }

    private func encode(_ bound: Item, _ clock: inout UInt64) -> [UInt8] {
        let distance = bound.timestamp == .max ? 0 : bound.timestamp - clock + 1
        clock = bound.timestamp
        return varint(distance) + varint(UInt64(bound.id.count)) + bound.id
    }

    private func varint(_ value: UInt64) -> [UInt8] {
        var digits = [UInt8(value % 128)]
        var rest = value / 128
        while rest > 0 {
            digits.insert(UInt8(rest % 128) + 128, at: 0)
            rest /= 128
        }
        return digits
    }

    private func takeBound(_ input: inout ArraySlice<UInt8>, _ clock: inout UInt64) -> Item {
        let distance = takeVarint(&input)
        clock = distance == 0 ? .max : clock + distance - 1
        let length = takeVarint(&input)
        return Item(timestamp: clock, id: take(Int(length), &input))
    }

    private func takeVarint(_ input: inout ArraySlice<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        while true {
            let digit = input.removeFirst()
            value = value * 128 + UInt64(digit % 128)
            if digit < 128 { return value }
        }
    }

    private func take(_ count: Int, _ input: inout ArraySlice<UInt8>) -> [UInt8] {
        defer { input = input.dropFirst(count) }
        return Array(input.prefix(count))
    }
}
