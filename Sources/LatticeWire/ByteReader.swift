/// Reads fields from the front of bytes; every read is checked, and an error names its field.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    package var remaining: Int { bytes.endIndex - position }

    package var consumed: Int { position - bytes.startIndex }

    package mutating func byte(_ field: String) throws(WireError) -> UInt8 {
        guard position < bytes.endIndex else { throw .truncated(field: field) }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func fixed(_ count: Int, _ field: String) throws(WireError) -> ArraySlice<UInt8> {
        guard remaining >= count else { throw .truncated(field: field) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// A big-endian number of `count` bytes, 8 at most.
    package mutating func integer(bytes count: Int, _ field: String) throws(WireError) -> UInt64 {
        try fixed(count, field).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Unsigned LEB128 in its shortest form, 64 bits at most.
    package mutating func varint(_ field: String) throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte(field)
            if shift == 63, byte > 1 { throw .outOfRange(field: field) }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 {
                if byte == 0, shift > 0 { throw .notShortest(field: field) }
                return value
            }
            shift += 7
            if shift > 63 { throw .outOfRange(field: field) }
        }
    }

    /// `length:varint octets`, at most `bytesMax` octets.
    package mutating func bytes(_ field: String, bytesMax: Int) throws(WireError) -> ArraySlice<UInt8> {
        let length = try varint(field)
        guard length <= UInt64(bytesMax) else {
            throw .tooLong(field: field, bytes: Int(clamping: length), bytesMax: bytesMax)
        }
        return try fixed(Int(length), field)
    }

    /// `length:varint octets` that are UTF-8.
    package mutating func text(_ field: String, bytesMax: Int) throws(WireError) -> String {
        guard let text = String(validating: try bytes(field, bytesMax: bytesMax), as: UTF8.self) else {
            throw .notUTF8(field: field)
        }
        return text
    }

    /// Text of at least one octet.
    package mutating func someText(_ field: String, bytesMax: Int) throws(WireError) -> String {
        let text = try text(field, bytesMax: bytesMax)
        guard !text.isEmpty else { throw .outOfRange(field: field) }
        return text
    }

    package mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    package func end(_ field: String) throws(WireError) {
        guard remaining == 0 else { throw .trailing(field: field, bytes: remaining) }
    }
}
