import LatticeWire

extension FuzzTarget {
    static let folder = FuzzTarget(
        "folder",
        "lists of folders in pieces of any size, and encrypted files: what is read is written in the same bytes",
        inputBytesMax: 4_096
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        switch source.byte() % 4 {
        case 0:
            let value = source.all()
            guard let file = accepted({ try SealedFile(decoding: value[...]) }) else { return }
            try hold(file.bytes == value, "a file is written in other bytes")
            try hold(file.shape.blobBytes == file.blob.size, "a file and its blob do not agree")
        case 1:
            let blobBytes = Int64(source.number(bytes: 5) % UInt64(BlobName.sizeMax))
            try FolderTrial(bytes: source.all(), blobBytes: blobBytes).run(pieceBytes: 3)
        default:
            // Usually what a fuzzer would take long to guess: the mark, and a size that is right.
            let pieceBytes = 1 + Int(source.byte())
            let bytes = FolderList.mark + source.all()
            try FolderTrial(bytes: bytes, blobBytes: FolderTrial.blobBytes(bytes)).run(pieceBytes: pieceBytes)
        }
    }
}

private struct FolderTrial {
    struct Reading: Equatable {
        var list: FolderList?
        var error: WireError?
        /// Where the contents begin.
        var end = 0
    }

    let bytes: [UInt8]
    let blobBytes: Int64

    func run(pieceBytes: Int) throws(BrokenProperty) {
        let whole = reading(by: max(1, bytes.count))
        let pieces = reading(by: pieceBytes)
        try hold(whole == pieces, "pieces give another list than the whole")
        guard let list = whole.list else { return }
        try hold(list.bytes.elementsEqual(bytes[..<whole.end]), "a list is written in other bytes")
        try hold(list.listBytes == whole.end && list.blobBytes == blobBytes, "sizes do not add up")
        let again = accepted { try FolderList(list.entries) }
        try hold(again == list, "a list that was read cannot be written")
        for entry in list.entries {
            let components = entry.components
            try hold(components.allSatisfy { FileName($0) != nil && $0 != ".." }, "a path leaves its folder")
            try hold(entry.path == components.joined(separator: "/"), "a path has other components")
        }
        let paths = list.entries.prefix(40).map { $0.path.lowercased() }
        for (index, path) in paths.enumerated() {
            for other in paths[(index + 1)...] {
                try hold(
                    path != other && !path.hasPrefix(other + "/") && !other.hasPrefix(path + "/"), "paths conflict")
            }
        }
    }

    private func reading(by count: Int) -> Reading {
        var reader = FolderListReader(blobBytes: blobBytes)
        var reading = Reading()
        do throws(WireError) {
            for start in stride(from: 0, to: bytes.count, by: count) {
                let end = min(bytes.count, start + count)
                var piece = bytes[start..<end]
                reading.list = try reader.take(&piece)
                reading.end = end - piece.count
                if reading.list != nil { break }
            }
            try reader.end()
        } catch {
            return Reading(error: error)
        }
        return reading
    }

    /// The size at which the sizes in a list add up; any other if it is no list.
    static func blobBytes(_ bytes: [UInt8]) -> Int64 {
        var reader = ByteReader(bytes)
        var contentBytes: UInt64 = 0
        do throws(WireError) {
            _ = try reader.fixed(FolderList.mark.count, "mark")
            let count = try reader.varint("count")
            for _ in 0..<min(count, UInt64(bytes.count)) {
                _ = try reader.bytes("path", bytesMax: bytes.count)
                contentBytes = min(UInt64(BlobName.sizeMax), contentBytes &+ (try reader.varint("size") & 0xFFFF_FFFF))
            }
        } catch {
            return Int64(bytes.count)
        }
        return Int64(reader.consumed) + Int64(contentBytes)
    }
}
