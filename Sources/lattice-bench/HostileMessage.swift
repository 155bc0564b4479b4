/// Reconciliation messages of maximum size that cause as much work as possible.
enum HostileMessage {
    static func all(bytesMax: Int, until end: UInt64) -> [(name: String, bytes: [UInt8])] {
        let ids = (0..<20).flatMap { [UInt8](repeating: 0, count: 31) + [$0] }
        return [
            ("skips", message(bytesMax, end, [0])),
            ("fingerprints", message(bytesMax, end, [1] + [UInt8](repeating: 7, count: 16))),
            ("empty-lists", message(bytesMax, end, [2, 0])),
            ("lists", message(bytesMax, end, [2, 20] + ids)),
            ("one-list", [0x61, 0, 0, 2, 1] + [UInt8](repeating: 7, count: 32)),
        ]
    }

    /// Consecutive ranges up to the end, all with the same content.
    private static func message(_ bytesMax: Int, _ end: UInt64, _ content: [UInt8]) -> [UInt8] {
        let ranges = bytesMax / (content.count + 5)
        let distance = varint(end / UInt64(ranges) + 1)
        return [0x61]
            + (0..<(bytesMax - 1) / (distance.count + 1 + content.count)).flatMap { _ in distance + [0] + content }
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : varint(value / 128).map { $0 | 128 } + [UInt8(value % 128)]
    }
}
