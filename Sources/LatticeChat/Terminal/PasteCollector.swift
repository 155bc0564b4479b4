/// Gathers a bracketed paste up to ESC [ 201 ~, keeping no more than a limit of it.
struct PasteCollector: Equatable, Sendable {
    private static let ending = Array("\u{1B}[201~".utf8)

    let bytesMax: Int
    private(set) var isTruncated = false
    private var bytes: [UInt8] = []
    /// How many bytes of the ending have come; they belong to the text if the next one does not fit.
    private var endingMatched = 0

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// The text, repaired where it is not UTF-8 (or was cut inside a scalar).
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes one byte; true when the ending is complete.
    mutating func take(_ byte: UInt8) -> Bool {
        if byte == Self.ending[endingMatched] {
            endingMatched += 1
            return endingMatched == Self.ending.count
        }
        keep(Self.ending[..<endingMatched])
        // ESC stands only at the front of the ending, so no shorter match can be under way.
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
