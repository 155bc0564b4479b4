/// One range of bytes that a client asks for: the header `Range` (RFC 9110, section 14.2).
package enum ByteRange: Equatable, Sendable {
    case whole
    case part(Range<Int>)
    /// Nothing of it is in the file.
    case unsatisfiable

    /// What is no range, several ranges, or another unit than bytes gets the whole file, as the RFC allows.
    package init(_ header: String?, of bytes: Int) {
        self = header.flatMap { Self.parsed($0, of: bytes) } ?? .whole
    }

    private static func parsed(_ header: String, of bytes: Int) -> ByteRange? {
        let unit = "bytes="
        guard header.lowercased().hasPrefix(unit) else { return nil }
        let text = header.dropFirst(unit.count).filter { $0 != " " && $0 != "\t" }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let last = number(ends[1]) else { return nil }
            return last == 0 || bytes == 0 ? .unsatisfiable : .part(max(0, bytes - last)..<bytes)
        }
        guard let first = number(ends[0]) else { return nil }
        var end = bytes
        if !ends[1].isEmpty {
            guard let last = number(ends[1]), last >= first else { return nil }
            end = min(bytes, last == .max ? bytes : last + 1)
        }
        return first < bytes ? .part(first..<end) : .unsatisfiable
    }

    /// Digits alone. A number that is too large is as good as the largest.
    private static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }
}
