/// Makes choices from bytes. At the end of the bytes every choice is the first one.
struct ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    mutating func number(bytes count: Int) -> UInt64 {
        (0..<count).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
    }

    mutating func flag() -> Bool {
        byte() & 1 == 1
    }

    /// - Parameter count: 1 or more.
    mutating func index(below count: Int) -> Int {
        Int(count > 256 ? number(bytes: 2) : UInt64(byte())) % count
    }

    mutating func choice<Element>(of list: [Element]) -> Element {
        list[index(below: list.count)]
    }

    /// Returns up to `count` bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func all() -> [UInt8] {
        bytes(rest.count)
    }
}
