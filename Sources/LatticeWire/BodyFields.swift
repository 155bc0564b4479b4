/// The tail of a body: optional fields, to which later versions add.
///
/// `fields := field*` and `field := number:varint value:bytes`, in ascending order of their numbers, which begin at 1; each at
/// most once. A field with an unknown number is skipped, and stays in the body.
package struct BodyFields: Hashable, Sendable {
    /// A preview picture of 8 KiB, and as much again for everything else.
    package static let bytesMax = 16_384
    /// More than any kind has; looking one up reads all before it.
    package static let countMax = 64

    package static let none = BodyFields([])

    /// As encoded in the body. The initialisers check them, so reading them again cannot fail.
    private let bytes: [UInt8]

    /// - Parameter fields: in ascending order of their numbers.
    package init(_ fields: [(number: UInt64, value: [UInt8])]) {
        var writer = ByteWriter()
        var last: UInt64 = 0
        for (number, value) in fields {
            precondition(number > last, "our own fields are in ascending order")
            writer.varint(number)
            writer.bytes(value)
            last = number
        }
        precondition(fields.count <= Self.countMax, "our own fields are within the limit")
        precondition(writer.bytes.count <= Self.bytesMax, "our own fields are within the limit")
        bytes = writer.bytes
    }

    /// Reads the rest of a body.
    ///
    /// - Parameter field: the name in errors.
    package init(reading reader: inout ByteReader, _ field: String) throws(WireError) {
        let tail = reader.rest()
        guard tail.count <= Self.bytesMax else {
            throw .tooLong(field: field, bytes: tail.count, bytesMax: Self.bytesMax)
        }
        var rest = ByteReader(tail)
        var last: UInt64 = 0
        var count = 0
        while rest.remaining > 0 {
            let number = try Self.next(&rest, field).number
            count += 1
            guard number > last, count <= Self.countMax else { throw .outOfRange(field: field) }
            last = number
        }
        bytes = Array(tail)
    }

    package subscript(number: UInt64) -> ArraySlice<UInt8>? {
        var rest = ByteReader(bytes)
        do throws(WireError) {
            while rest.remaining > 0 {
                let field = try Self.next(&rest, "field")
                if field.number == number { return field.value }
            }
        } catch {
            preconditionFailure("fields are checked when they are made")
        }
        return nil
    }

    private static func next(
        _ reader: inout ByteReader, _ field: String
    ) throws(WireError) -> (number: UInt64, value: ArraySlice<UInt8>) {
        (try reader.varint(field), try reader.bytes(field, bytesMax: bytesMax))
    }

    /// A field that is present with an empty value, or absent.
    func flag(_ number: UInt64, _ field: String) throws(WireError) -> Bool {
        guard let value = self[number] else { return false }
        guard value.isEmpty else { throw .outOfRange(field: field) }
        return true
    }

    package func append(to writer: inout ByteWriter) {
        writer.fixed(bytes)
    }
}
