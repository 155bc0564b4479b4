/// Why the bytes of a bundle are malformed. Offsets are in bytes from its beginning.
package enum BundleError: Error, Hashable, CustomStringConvertible {
    /// It does not begin with a complete header.
    case notABundle
    /// The record at this offset claims to be longer than any record may be.
    case tooLong(at: Int)
    /// The length that begins here is not in its shortest form.
    case notShortest(at: Int)
    /// It ends within a record. The last complete one ends here, so cutting the file here gives a valid bundle.
    case truncated(at: Int)

    package var description: String {
        switch self {
        case .notABundle: "this is not a bundle of records"
        case .tooLong(let offset): "the record at byte \(offset) is longer than \(Record.bytesMax) bytes"
        case .notShortest(let offset): "the length at byte \(offset) is not in its shortest form"
        case .truncated(let offset): "the bundle ends within a record; the last whole one ends at byte \(offset)"
        }
    }
}

/// Splits a bundle into records while its bytes arrive in pieces of any size: `feed` a piece, call `next` until it
/// returns `nil`, and `finish` after the last piece.
///
/// It holds at most one incomplete record and one piece. It checks only the lengths; its records are neither decoded
/// nor verified.
package struct BundleReader: Sendable {
    private enum State: Sendable {
        /// Before the first record. Next: `records`, `failed`.
        case header
        /// At the start of a record, or after the last one. Next: `failed`.
        case records
        /// Final.
        case failed(BundleError)
    }

    private var state = State.header
    private var buffer: [UInt8] = []
    /// The offset in `buffer` of the first unread byte.
    private var position = 0
    /// The offset of `buffer` in the bundle.
    private var bufferOffset = 0
    private var isDrained = true

    package init() {}

    /// The offset in the bundle after the last complete record, or after the header.
    package var offset: Int { bufferOffset + position }

    /// Bytes that wait for the rest of their record, or for `next`.
    package var heldBytes: Int { buffer.count - position }

    /// Takes the next piece. The previous one must have been read completely, so that at most one is held.
    package mutating func feed(_ chunk: some Collection<UInt8>) {
        if case .failed = state { return }
        precondition(isDrained, "one piece is read before the next is fed")
        bufferOffset += position
        buffer.removeSubrange(..<position)
        position = 0
        buffer.append(contentsOf: chunk)
        isDrained = false
    }

    /// - Returns: the bytes of the next record, or `nil` when more must be fed first.
    package mutating func next() throws(BundleError) -> ArraySlice<UInt8>? {
        do {
            let record = try read()
            isDrained = record == nil
            return record
        } catch {
            state = .failed(error)
            bufferOffset = offset
            buffer = []
            position = 0
            throw error
        }
    }

    package func finish() throws(BundleError) {
        switch state {
        case .failed(let error): throw error
        case .header: throw .notABundle
        case .records:
            precondition(isDrained, "the last piece is read before the end")
            guard heldBytes == 0 else { throw .truncated(at: offset) }
        }
    }

    private mutating func read() throws(BundleError) -> ArraySlice<UInt8>? {
        switch state {
        case .failed(let error): throw error
        case .records: return try readRecord()
        case .header: return try readHeader() ? readRecord() : nil
        }
    }

    /// - Returns: whether the header is complete. The first wrong byte is an error at once.
    private mutating func readHeader() throws(BundleError) -> Bool {
        let header = BundleWriter.header
        let seen = buffer.prefix(header.count)
        guard header.starts(with: seen) else { throw .notABundle }
        guard seen.count == header.count else { return false }
        position = header.count
        state = .records
        return true
    }

    private mutating func readRecord() throws(BundleError) -> ArraySlice<UInt8>? {
        var reader = ByteReader(buffer[position...])
        guard let length = try readLength(&reader) else { return nil }
        guard length <= UInt64(Record.bytesMax) else { throw .tooLong(at: offset) }
        guard reader.remaining >= Int(length) else { return nil }
        let start = position + reader.consumed
        position = start + Int(length)
        return buffer[start..<position]
    }

    /// - Returns: `nil` if the number continues beyond the buffer.
    private func readLength(_ reader: inout ByteReader) throws(BundleError) -> UInt64? {
        do throws(WireError) {
            return try reader.varint("bundle length")
        } catch {
            switch error {
            case .truncated: return nil
            case .notShortest: throw .notShortest(at: offset)
            case .trailing, .tooLong, .outOfRange, .notUTF8, .unknownVersion: throw .tooLong(at: offset)
            }
        }
    }
}
