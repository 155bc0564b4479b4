/// A file in a folder that is one blob.
package struct FolderEntry: Hashable, Sendable {
    package static let pathBytesMax = 1_024
    package static let componentsMax = 32

    /// Components with `/` between them; each may be the name of a file.
    package let path: String
    /// In bytes.
    package let size: Int64

    /// - Returns: `nil` if the path breaks the rule, or the size is outside 0–`BlobName.sizeMax`.
    package init?(path: String, size: Int64) {
        guard (0...BlobName.sizeMax).contains(size), path.utf8.count <= Self.pathBytesMax else { return nil }
        let parts = Self.parts(of: path)
        guard parts.count <= Self.componentsMax, parts.allSatisfy({ FileName(String($0)) != nil }) else { return nil }
        (self.path, self.size) = (path, size)
    }

    /// At least one.
    package var components: [String] { Self.parts(of: path).map { String($0) } }

    /// Split at bytes: a slash with a combining mark behind it is one `Character`, but two names for the system.
    private static func parts(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Equal for two paths that some disks take for one: case does not count, and strings compare without regard to composition.
    /// The separator of components sorts before anything in a name.
    var folded: String {
        let folded = path.utf8.allSatisfy { $0 < 0x80 } ? path.lowercased() : path.uppercased().lowercased()
        var scalars = String.UnicodeScalarView()
        for scalar in folded.unicodeScalars { scalars.append(scalar == "/" ? Self.separator : scalar) }
        return String(scalars)
    }

    static let separator: Unicode.Scalar = "\u{1}"
}

/// Why files cannot be one folder.
package enum FolderListFault: Error, Hashable, Sendable {
    case tooManyFiles(filesMax: Int)
    /// The list of paths and sizes is too long.
    case listTooLong(bytesMax: Int)
    /// List and contents are more than a blob holds.
    case tooLarge(bytesMax: Int64)
    /// Both would be one path on some disks, or one is a folder in which the other is.
    case conflict(String, String)
}

/// What is at the beginning of a blob that is a folder: the paths and sizes of its files. Their contents follow without gaps, in
/// this order.
///
/// `"lattice folder v1\n" count:varint (path:text size:varint)*`
package struct FolderList: Hashable, Sendable {
    package static let mediaTypeText = "application/vnd.lattice.folder"
    package static let entriesMax = 65_536
    package static let bytesMax = 8 << 20
    package static let mark = Array("lattice folder v1\n".utf8)

    package let entries: [FolderEntry]
    /// The length of the list.
    package let listBytes: Int
    /// Bytes of all files.
    package let contentBytes: Int64

    package init(_ entries: [FolderEntry]) throws(FolderListFault) {
        guard entries.count <= Self.entriesMax else { throw .tooManyFiles(filesMax: Self.entriesMax) }
        let countBytes = ByteWriter.varintBytes(UInt64(entries.count))
        listBytes = entries.reduce(Self.mark.count + countBytes) { $0 + Self.listBytes(of: $1) }
        guard listBytes <= Self.bytesMax else { throw .listTooLong(bytesMax: Self.bytesMax) }
        contentBytes = entries.reduce(0) { $0 + $1.size }
        guard contentBytes <= BlobName.sizeMax - Int64(listBytes) else { throw .tooLarge(bytesMax: BlobName.sizeMax) }
        if let (one, other) = Self.conflict(among: entries) { throw .conflict(one.path, other.path) }
        self.entries = entries
    }

    /// Bytes of an entry in the list.
    package static func listBytes(of entry: FolderEntry) -> Int {
        let count = entry.path.utf8.count
        return ByteWriter.varintBytes(UInt64(count)) + count + ByteWriter.varintBytes(UInt64(entry.size))
    }

    /// The size of the whole blob.
    package var blobBytes: Int64 { Int64(listBytes) + contentBytes }

    package var bytes: [UInt8] {
        var writer = ByteWriter(reserving: listBytes)
        writer.fixed(Self.mark)
        writer.varint(UInt64(entries.count))
        for entry in entries {
            writer.text(entry.path)
            writer.varint(UInt64(entry.size))
        }
        return writer.bytes
    }

    /// Two entries that cannot be in one folder. In the order of their folded paths, they are neighbours.
    static func conflict(among entries: [FolderEntry]) -> (FolderEntry, FolderEntry)? {
        let sorted = entries.map { (folded: $0.folded, entry: $0) }.sorted { $0.folded < $1.folded }
        for (one, other) in zip(sorted, sorted.dropFirst()) {
            if one.folded == other.folded || other.folded.hasPrefix(one.folded + String(FolderEntry.separator)) {
                return (one.entry, other.entry)
            }
        }
        return nil
    }
}
