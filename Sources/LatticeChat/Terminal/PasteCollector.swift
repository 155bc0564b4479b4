/// Collects a bracketed paste up to ESC [ 201 ~, within a limit.
struct PasteCollector: Equatable, Sendable {
    private static let ending = Array("\u{1B}[201~".utf8)

    let bytesMax: Int
    private(set) var isTruncated = false
    private var bytes: [UInt8] = []
    /// How many bytes of the ending have matched; they are text if the next byte does not match.
    private var endingMatched = 0

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// The text, with invalid UTF-8 repaired (also where the limit cut a scalar).
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes one byte. True if the ending is complete.
    mutating func take(_ byte: UInt8) -> Bool {
        if byte == Self.ending[endingMatched] {
            endingMatched += 1
            return endingMatched == Self.ending.count
        }
        keep(Self.ending[..<endingMatched])
        // ESC occurs only at the start of the ending, so no shorter match is possible.
        endingMatched = byte == Self.ending[0] ? 1 : 0
        if endingMatched == 0 { keep([byte]) }
        return false
    }

    private mutating func keep(_ more: some Sequence<UInt8>) {
        for byte in more {
            if bytes.count < bytesMax { bytes.append(byte) } else { isTruncated = true }
        }
    }
}
