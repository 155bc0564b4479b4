import LatticeWire

extension FuzzTarget {
    static let bundle = FuzzTarget(
        "bundle", "a bundle in pieces of any size: the same records and the same error as at once, and bounded memory",
        inputBytesMax: 8_192
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        // Usually a complete header, which a fuzzer would take long to guess.
        let header = source.byte() % 4 == 0 ? [] : BundleWriter.header
        let pieceBytes = 1 + Int(source.number(bytes: 2)) % 600
        let bundle = header + source.all()
        let whole = try reading(bundle, pieceBytes: max(1, bundle.count))
        let pieces = try reading(bundle, pieceBytes: pieceBytes)
        try hold(whole.records == pieces.records, "pieces give other records than the whole")
        try hold(whole.error == pieces.error, "pieces give another error than the whole")
        try hold(whole.offset == pieces.offset, "pieces end elsewhere than the whole")
        var writer = BundleWriter()
        for record in whole.records { writer.append(record) }
        let written = writer.take()
        let isHeaderless = whole.error == .notABundle
        try hold(
            isHeaderless ? whole.records.isEmpty : bundle.starts(with: written), "what was read is written differently")
        if case .truncated(let offset) = whole.error {
            try hold(offset == written.count, "a bundle cut off at its last whole record is not one")
        }
    }

    private static func reading(
        _ bundle: [UInt8], pieceBytes: Int
    ) throws(BrokenProperty) -> (records: [[UInt8]], error: BundleError?, offset: Int) {
        var reader = BundleReader()
        var records: [[UInt8]] = []
        do {
            for start in stride(from: 0, to: bundle.count, by: pieceBytes) {
                reader.feed(bundle[start..<min(bundle.count, start + pieceBytes)])
                while let record = try reader.next() {
                    records.append(Array(record))
                    try hold(record.count <= Record.bytesMax, "a record is longer than any may be")
                }
                // One incomplete record and its length of at most three bytes.
                try hold(reader.heldBytes <= Record.bytesMax + 3, "\(reader.heldBytes) bytes are held")
            }
            try reader.finish()
        } catch let error as BundleError {
            return (records, error, reader.offset)
        } catch let error as BrokenProperty {
            throw error
        } catch {
            throw BrokenProperty("\(error)")
        }
        return (records, nil, reader.offset)
    }
}
