/// Bytes that SQLite would not have written on a page.
struct PageFault: Error {
    let field: String
}

/// Reads forward through arbitrary bytes. SQLite's "Database File Format" specifies what they should be.
struct SalvagedBytes {
    private let bytes: ArraySlice<UInt8>
    private var next: Int

    init(_ bytes: ArraySlice<UInt8>, at offset: Int = 0) throws(PageFault) {
        guard offset >= 0, offset <= bytes.count else { throw PageFault(field: "offset") }
        self.bytes = bytes
        next = bytes.startIndex + offset
    }

    var left: Int { bytes.endIndex - next }

    mutating func take(_ count: Int) throws(PageFault) -> ArraySlice<UInt8> {
        guard count >= 0, count <= left else { throw PageFault(field: "length") }
        defer { next += count }
        return bytes[next..<next + count]
    }

    /// Big-endian; at most eight bytes.
    mutating func integer(bytes count: Int) throws(PageFault) -> UInt64 {
        try take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// "A Variable-length Integer": seven bits a byte, the highest first; the ninth byte has eight.
    mutating func varint() throws(PageFault) -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<8 {
            let byte = try integer(bytes: 1)
            value = value << 7 | byte & 0x7F
            if byte < 0x80 { return value }
        }
        return value << 8 | (try integer(bytes: 1))
    }

    /// A varint that is a count of at most `max`.
    mutating func count(max: Int) throws(PageFault) -> Int {
        let value = try varint()
        guard value <= UInt64(max) else { throw PageFault(field: "count") }
        return Int(value)
    }
}

/// One column of a row ("Record Format").
enum SalvagedValue {
    case null
    case int(Int64)
    case blob(ArraySlice<UInt8>)
    case text(ArraySlice<UInt8>)
    /// A floating-point number, or a value beyond the available bytes.
    case other

    /// More than any of our tables has.
    private static let columnsMax = 64

    /// The columns of a row, up to the end of its bytes: the rest of a long row may be on lost pages.
    static func row(_ payload: ArraySlice<UInt8>) throws(PageFault) -> [SalvagedValue] {
        var sizes = try SalvagedBytes(payload)
        let headerBytes = try sizes.count(max: payload.count)
        var header = try SalvagedBytes(payload.prefix(headerBytes), at: payload.count - sizes.left)
        var content = try SalvagedBytes(payload, at: headerBytes)
        var values: [SalvagedValue] = []
        while header.left > 0 {
            guard values.count < columnsMax else { throw PageFault(field: "columns") }
            values.append(try value(of: header.varint(), &content))
        }
        return values
    }

    private static func value(of serialType: UInt64, _ content: inout SalvagedBytes) throws(PageFault) -> SalvagedValue
    {
        switch serialType {
        case 0: return .null
        case 1...4: return try integer(bytes: Int(serialType), &content)
        case 5: return try integer(bytes: 6, &content)
        case 6: return try integer(bytes: 8, &content)
        case 8: return .int(0)
        case 9: return .int(1)
        case 10, 11: throw PageFault(field: "serial type")
        default:
            let bytes = serialType == 7 ? 8 : (serialType - 12) / 2
            guard bytes <= UInt64(content.left) else {
                _ = try content.take(content.left)
                return .other
            }
            let taken = try content.take(Int(bytes))
            if serialType == 7 { return .other }
            return serialType.isMultiple(of: 2) ? .blob(taken) : .text(taken)
        }
    }

    private static func integer(bytes count: Int, _ content: inout SalvagedBytes) throws(PageFault) -> SalvagedValue {
        guard count <= content.left else {
            _ = try content.take(content.left)
            return .other
        }
        let unused = 64 - 8 * count
        // The sign bit is extended to all eight bytes.
        return .int((Int64(bitPattern: try content.integer(bytes: count)) << unused) >> unused)
    }
}
