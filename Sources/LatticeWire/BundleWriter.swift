/// Writes records behind one another into a file that another store reads.
///
/// `bundle := "lattice bundle v1\n" (length:varint record)*`. There is no count and no end mark: a bundle can be written
/// without knowing what comes, and two of them are joined by leaving out the second header. A bundle proves nothing by
/// itself; every record in it carries its own signature.
package struct BundleWriter: Sendable {
    /// What every bundle begins with; a line, so that a person who opens the file sees what it is.
    package static let header = Array("lattice bundle v1\n".utf8)

    /// What has not been taken yet; its owner takes it often enough to bound it.
    private var pending = Self.header

    package init() {}

    /// How many bytes wait to be taken.
    package var pendingBytes: Int { pending.count }

    /// - Parameter record: the whole record as it travels, at most `Record.bytesMax` bytes.
    package mutating func append(_ record: some Collection<UInt8>) {
        precondition(record.count <= Record.bytesMax, "our own records are within the limit")
        var length = ByteWriter()
        length.varint(UInt64(record.count))
        pending.append(contentsOf: length.bytes)
        pending.append(contentsOf: record)
    }

    /// - Returns: what is to be written behind what was taken before, the header first.
    package mutating func take() -> [UInt8] {
        defer { pending = [] }
        return pending
    }
}
