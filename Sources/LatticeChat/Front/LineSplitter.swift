/// Splits bytes into lines. A line over the limit is refused whole, never cut, and takes no memory.
package struct LineSplitter: Sendable {
    private let bytesMax: Int
    private let toldMax: Int
    private var line: [UInt8] = []
    private var skippedBytes = 0
    private var lastSkipped: UInt8 = 0

    /// - Parameters:
    ///   - bytesMax: a longer line is refused.
    ///   - toldMax: the limit that the error names, if a command may precede the text; `nil` is `bytesMax`.
    package init(bytesMax: Int, toldMax: Int? = nil) {
        self.bytesMax = bytesMax
        self.toldMax = toldMax ?? bytesMax
    }

    package mutating func append(_ bytes: some Sequence<UInt8>) -> [ChatInput] {
        var inputs: [ChatInput] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                inputs.append(take())
            } else if skippedBytes > 0 || line.count > bytesMax {
                // One byte beyond the limit is kept for a carriage return before the line feed.
                skippedBytes = max(skippedBytes, line.count) + 1
                lastSkipped = byte
                line = []
            } else {
                line.append(byte)
            }
        }
        return inputs
    }

    /// Ends the input; the last line may lack its line feed.
    package mutating func finish() -> [ChatInput] {
        (line.isEmpty && skippedBytes == 0 ? [] : [take()]) + [.endOfInput]
    }

    private mutating func take() -> ChatInput {
        defer {
            line = []
            skippedBytes = 0
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if skippedBytes > 0, lastSkipped == UInt8(ascii: "\r") { skippedBytes -= 1 }
        let bytes = max(skippedBytes, line.count)
        guard bytes <= bytesMax else {
            return .refused(
                code: "lineTooLong",
                LineLimit.sentence(bytesMax: toldMax))
        }
        guard let text = String(validating: line, as: UTF8.self) else {
            return .refused(
                code: "notUTF8",
                "This line was not sent: it is not UTF-8. Convert it first, for example with iconv -t UTF-8.")
        }
        return .line(text)
    }
}
