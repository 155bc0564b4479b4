/// Reads the list of a folder as its bytes come, in pieces of any size.
///
/// It holds no more than what it read of the list and one incomplete path, and checks each limit before it takes memory.
package struct FolderListReader: Sendable {
    private enum Step {
        /// The first line. Next: `count`
        case mark
        /// Next: `pathLength`, `complete`
        case count
        /// Next: `path`
        case pathLength
        /// Next: `size`
        case path(bytes: Int)
        /// Next: `pathLength`, `complete`
        case size(path: String)
        /// Everything else is content. Next: none
        case complete
    }

    /// An incomplete number.
    private struct Number {
        var value: UInt64 = 0
        var shift: UInt64 = 0
    }

    private let blobBytes: Int64
    private var step = Step.mark
    private var listBytes = 0
    private var path: [UInt8] = []
    private var number = Number()
    private var count = 0
    private var entries: [FolderEntry] = []
    private var contentBytes: Int64 = 0

    /// - Parameter blobBytes: the size of the blob; of an encrypted one, that of its content.
    package init(blobBytes: Int64) { self.blobBytes = blobBytes }

    /// The field that is cut off if no more bytes come.
    private var field: String {
        switch step {
        case .mark: "folder mark"
        case .count: "folder count"
        case .pathLength, .path: "folder path"
        case .size: "folder size"
        case .complete: "folder"
        }
    }

    /// Takes what belongs to the list from the front of the bytes.
    ///
    /// - Returns: the list, once it is complete. What is left then are contents.
    package mutating func take(_ bytes: inout ArraySlice<UInt8>) throws(WireError) -> FolderList? {
        while true {
            if case .complete = step { return try list() }
            guard !bytes.isEmpty else { return nil }
            switch step {
            case .mark: try takeMark(&bytes)
            case .count:
                guard let count = try takeNumber(&bytes) else { return nil }
                guard count <= UInt64(FolderList.entriesMax) else { throw .outOfRange(field: field) }
                self.count = Int(count)
                nextEntry()
            case .pathLength:
                guard let length = try takeNumber(&bytes) else { return nil }
                try beginPath(length)
            case .path(let count):
                guard try takePath(count, &bytes) else { return nil }
            case .size(let path):
                guard let size = try takeNumber(&bytes) else { return nil }
                try add(path, size)
            case .complete: break
            }
        }
    }

    /// Call when no more bytes come.
    package func end() throws(WireError) {
        guard case .complete = step else { throw .truncated(field: field) }
    }

    private mutating func takeMark(_ bytes: inout ArraySlice<UInt8>) throws(WireError) {
        let (mark, start) = (FolderList.mark, listBytes)
        let octets = bytes.prefix(mark.count - start)
        guard mark[start...].starts(with: octets) else { throw .outOfRange(field: field) }
        bytes = bytes.dropFirst(octets.count)
        listBytes += octets.count
        if listBytes == mark.count { step = .count }
    }

    /// The rules of `ByteReader.varint`, byte by byte.
    ///
    /// - Returns: `nil` if it is not complete.
    private mutating func takeNumber(_ bytes: inout ArraySlice<UInt8>) throws(WireError) -> UInt64? {
        while let byte = bytes.popFirst() {
            try lengthen(by: 1)
            if number.shift == 63, byte > 1 { throw .outOfRange(field: field) }
            number.value |= UInt64(byte & 0x7F) << number.shift
            if byte & 0x80 == 0 {
                if byte == 0, number.shift > 0 { throw .notShortest(field: field) }
                defer { number = Number() }
                return number.value
            }
            number.shift += 7
            if number.shift > 63 { throw .outOfRange(field: field) }
        }
        return nil
    }

    private mutating func lengthen(by count: Int) throws(WireError) {
        guard count <= FolderList.bytesMax - listBytes else {
            throw .tooLong(field: "folder list", bytes: listBytes + count, bytesMax: FolderList.bytesMax)
        }
        listBytes += count
    }

    private mutating func beginPath(_ length: UInt64) throws(WireError) {
        guard length <= UInt64(FolderEntry.pathBytesMax) else {
            throw .tooLong(field: field, bytes: Int(clamping: length), bytesMax: FolderEntry.pathBytesMax)
        }
        guard length > 0 else { throw .outOfRange(field: field) }
        try lengthen(by: Int(length))
        step = .path(bytes: Int(length))
    }

    /// - Returns: `false` if it is not complete.
    private mutating func takePath(_ count: Int, _ bytes: inout ArraySlice<UInt8>) throws(WireError) -> Bool {
        let octets = bytes.prefix(count - path.count)
        path += octets
        bytes = bytes.dropFirst(octets.count)
        guard path.count == count else { return false }
        guard let text = String(validating: path, as: UTF8.self) else { throw .notUTF8(field: field) }
        guard FolderEntry(path: text, size: 0) != nil else { throw .outOfRange(field: field) }
        path.removeAll(keepingCapacity: true)
        step = .size(path: text)
        return true
    }

    private mutating func add(_ path: String, _ size: UInt64) throws(WireError) {
        // What is left of the blob for this file and those after it.
        let left = blobBytes - Int64(listBytes) - contentBytes
        guard let size = Int64(exactly: size), size <= left, let entry = FolderEntry(path: path, size: size) else {
            throw .outOfRange(field: field)
        }
        contentBytes += size
        entries.append(entry)
        nextEntry()
    }

    private mutating func nextEntry() { step = entries.count == count ? .complete : .pathLength }

    private func list() throws(WireError) -> FolderList {
        guard blobBytes == Int64(listBytes) + contentBytes else { throw .outOfRange(field: "folder sizes") }
        do throws(FolderListFault) {
            return try FolderList(entries)
        } catch {
            // Number, length and size were checked as they came.
            throw .outOfRange(field: "folder paths")
        }
    }
}
