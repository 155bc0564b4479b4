/// Writes records into a file that another store can import.
///
/// `bundle := "lattice bundle v1\n" (length:varint record)*`. There is no count and no end mark: a bundle can be
/// written without knowing its length, and two are joined by dropping the second header. A bundle proves nothing; each
/// record carries its own signature.
package struct BundleWriter: Sendable {
    /// The first bytes of a bundle; a text line, so that a person who opens the file sees what it is.
    package static let header = Array("lattice bundle v1\n".utf8)

    /// Bytes not taken yet; the owner must call `take` often enough to bound them.
    private var pending = Self.header

    package init() {}

    package var pendingBytes: Int { pending.count }

    /// - Parameter record: the complete encoded record, at most `Record.bytesMax` bytes.
    package mutating func append(_ record: some Collection<UInt8>) {
        precondition(record.count <= Record.bytesMax, "our own records are within the limit")
        var length = ByteWriter()
        length.varint(UInt64(record.count))
        pending.append(contentsOf: length.bytes)
        pending.append(contentsOf: record)
    }

    /// - Returns: the bytes to write next; the first ones are the header.
    package mutating func take() -> [UInt8] {
        defer { pending = [] }
        return pending
    }
}
