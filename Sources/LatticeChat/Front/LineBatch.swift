import LatticeAPI

/// Lines that were read together and are said with one request.
struct LineBatch {
    private var lines: [SayLines.Line] = []
    private var bytes = 0

    func takes(_ line: SayLines.Line) -> Bool {
        lines.count < SayLines.countMax && (lines.isEmpty || bytes + line.text.utf8.count <= SayLines.bytesMax)
    }

    mutating func append(_ line: SayLines.Line) {
        lines.append(line)
        bytes += line.text.utf8.count
    }

    mutating func take() -> [SayLines.Line] {
        defer { self = LineBatch() }
        return lines
    }
}
