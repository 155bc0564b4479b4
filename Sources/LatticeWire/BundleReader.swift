/// What is wrong with the bytes of a bundle. Offsets are in bytes from its beginning.
package enum BundleError: Error, Hashable, CustomStringConvertible {
    /// It does not begin with the whole header.
    case notABundle
    /// The record that begins here claims to be longer than any record is.
    case tooLong(at: Int)
    /// The length that begins here is not in its shortest form.
    case notShortest(at: Int)
    /// It ends within a record. The last whole one ends here, so a file cut off here is a whole bundle.
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

/// Takes a bundle apart as its bytes come, in whatever pieces: `feed` a piece, call `next` until it has no more, and
/// `finish` behind the last piece.
///
/// It never holds more than one unfinished record and one piece. It judges the lengths alone; what it yields is still to
/// be decoded and verified.
package struct BundleReader: Sendable {
    private enum State: Sendable {
        /// Before the first record. Next: `records`, `failed`.
        case header
        /// At the beginning of a record, or behind the last one. Next: `failed`.
        case records
        /// What was wrong, once and for all.
        case failed(BundleError)
    }

    private var state = State.header
    private var buffer: [UInt8] = []
    /// Where in `buffer` what has not been read yet begins.
    private var position = 0
    /// Where in the bundle `buffer` begins.
    private var bufferOffset = 0
    private var isDrained = true

    package init() {}

    /// Where in the bundle the last whole record, or else the header, ends.
    package var offset: Int { bufferOffset + position }

    /// How many bytes wait for the rest of their record, or for `next`.
    package var heldBytes: Int { buffer.count - position }

    /// Takes the next piece. All of the one before must have been read, so that no more than one is ever held.
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

    /// Says that nothing more comes.
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

    /// - Returns: whether all of it was there. What cannot become a header is refused at its first wrong byte.
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

    /// - Returns: `nil` when the number goes on behind what is here.
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
