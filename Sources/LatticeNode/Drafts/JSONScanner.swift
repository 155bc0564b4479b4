import Foundation
import LatticeAPI

/// Reads JSON (RFC 8259) without building it: the caller takes what it knows and skips the rest.
struct JSONScanner {
    private let bytes: [UInt8]
    /// Where the next value or sign stands.
    var index: Int

    init(_ bytes: [UInt8], from start: Int) {
        (self.bytes, index) = (bytes, start)
    }

    /// The first byte of the next value.
    mutating func next() throws(ScanFault) -> UInt8 {
        while index < bytes.count, PointFile.isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count else { throw ScanFault(.cutOff, at: bytes.count) }
        return bytes[index]
    }

    /// - Throws: if more than space follows.
    mutating func end() throws(ScanFault) {
        while index < bytes.count, PointFile.isSpace(bytes[index]) { index += 1 }
        guard index == bytes.count else { throw malformed("something follows the end of the document") }
    }

    // MARK: - Values

    /// Calls `body` at each value of an object; it has to read or skip that.
    mutating func members(
        _ body: (String, inout JSONScanner) throws(ScanFault) -> Void
    ) throws(ScanFault) {
        try take("{")
        if try next() == UInt8(ascii: "}") { return index += 1 }
        while true {
            guard try next() == UInt8(ascii: "\"") else { throw malformed("a name in quotes is missing") }
            let name = try string()
            try take(":")
            try body(name, &self)
            if try next() == UInt8(ascii: "}") { return index += 1 }
            try take(",")
        }
    }

    /// Calls `body` at each value of a list; it has to read or skip that.
    mutating func elements(_ body: (inout JSONScanner) throws(ScanFault) -> Void) throws(ScanFault) {
        try take("[")
        if try next() == UInt8(ascii: "]") { return index += 1 }
        while true {
            try body(&self)
            if try next() == UInt8(ascii: "]") { return index += 1 }
            try take(",")
        }
    }

    mutating func string() throws(ScanFault) -> String {
        let start = try skipString()
        let inner = bytes[start..<(index - 1)]
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        return try Self.unescaped(inner, at: start)
    }

    mutating func number() throws(ScanFault) -> Double {
        _ = try next()
        let start = index
        skip { $0 == UInt8(ascii: "-") }
        let whole = digits()
        guard whole == 1 || whole > 1 && bytes[index - whole] != UInt8(ascii: "0") else {
            throw malformed("a number is missing")
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() > 0 else { throw malformed("a number does not end") }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            guard digits() > 0 else { throw malformed("a number does not end") }
        }
        guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else {
            throw malformed("a number is too large")
        }
        return value
    }

    /// Skips a value of any kind, without recursion.
    mutating func skipValue() throws(ScanFault) {
        var open: [UInt8] = []
        repeat {
            switch try next() {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard open.count < PointFile.depthMax else {
                    throw ScanFault(.tooDeep(max: PointFile.depthMax), at: index)
                }
                let closing = bytes[index] + 2
                index += 1
                if try next() == closing {
                    index += 1
                } else {
                    open.append(closing)
                    if closing == UInt8(ascii: "}") { try skipName() }
                    continue
                }
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "t"): try skipWord("true")
            case UInt8(ascii: "f"): try skipWord("false")
            case UInt8(ascii: "n"): try skipWord("null")
            default: _ = try number()
            }
            while let closing = open.last {
                if try next() == closing {
                    index += 1
                    open.removeLast()
                } else {
                    try take(",")
                    if closing == UInt8(ascii: "}") { try skipName() }
                    break
                }
            }
        } while !open.isEmpty
    }

    // MARK: - Parts

    private mutating func skipName() throws(ScanFault) {
        guard try next() == UInt8(ascii: "\"") else { throw malformed("a name in quotes is missing") }
        try skipString()
        try take(":")
    }

    /// - Returns: where the first character inside stands.
    @discardableResult
    private mutating func skipString() throws(ScanFault) -> Int {
        guard try next() == UInt8(ascii: "\"") else { throw malformed("a text in quotes is missing") }
        index += 1
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return start
            case UInt8(ascii: "\\"): index += 2
            case ..<0x20: throw malformed("a text does not end in its line")
            default: index += 1
            }
        }
        throw ScanFault(.cutOff, at: bytes.count)
    }

    private mutating func skipWord(_ word: String) throws(ScanFault) {
        guard bytes[index...].starts(with: word.utf8) else {
            guard word.utf8.starts(with: bytes[index...]) else { throw malformed("a value is missing") }
            throw ScanFault(.cutOff, at: bytes.count)
        }
        index += word.utf8.count
    }

    mutating func take(_ sign: Unicode.Scalar) throws(ScanFault) {
        guard try next() == UInt8(ascii: sign) else { throw malformed("a '\(sign)' is missing") }
        index += 1
    }

    private mutating func skip(if isWanted: (UInt8) -> Bool) {
        if index < bytes.count, isWanted(bytes[index]) { index += 1 }
    }

    private mutating func digits() -> Int {
        let start = index
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
        return index - start
    }

    private static func unescaped(_ inner: ArraySlice<UInt8>, at start: Int) throws(ScanFault) -> String {
        do {
            return try JSONDecoder().decode(String.self, from: Data([0x22] + inner + [0x22]))
        } catch {
            throw ScanFault(.malformed(reason: "an escape that begins with '\\' is unknown"), at: start)
        }
    }

    private func malformed(_ reason: String) -> ScanFault {
        index < bytes.count ? ScanFault(.malformed(reason: reason), at: index) : ScanFault(.cutOff, at: bytes.count)
    }
}
