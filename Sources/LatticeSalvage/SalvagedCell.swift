/// A row as stored on a page: the beginning of its bytes, and where the rest is.
struct SalvagedCell {
    /// The type of its page ("B-tree Pages").
    enum Tree: UInt8 {
        /// Leaf of a table: rows by number.
        case table = 0x0D
        /// Leaf of an index, or of a table without row numbers.
        case index = 0x0A
    }

    let tree: Tree
    /// 0 in an index.
    let number: Int64
    let payloadBytes: Int
    /// The whole row if it is short.
    let local: ArraySlice<UInt8>
    /// The page with the rest.
    let overflow: UInt32?

    /// The largest row holds a record and a copy of its topic; a longer one is invalid.
    private static let payloadBytesMax = 64_000

    /// The valid cells of a page. Each is read by itself, so that a broken pointer costs only one row.
    ///
    /// - Parameters:
    /// - isFirst: whether the page begins with the file's header of 100 bytes.
    /// - usable: bytes of a page without the reserved ones at its end.
    static func all(on page: [UInt8], isFirst: Bool, usable: Int) -> [SalvagedCell] {
        let start = isFirst ? 100 : 0
        guard usable <= page.count, page.count > start, let tree = Tree(rawValue: page[start]) else { return [] }
        var cells: [SalvagedCell] = []
        do {
            var header = try SalvagedBytes(page[...], at: start + 3)
            // A pointer takes two bytes, so a page cannot have more.
            let count = min(Int(try header.integer(bytes: 2)), usable / 2)
            var pointers = try SalvagedBytes(page[..<usable], at: start + 8)
            for _ in 0..<count {
                let offset = Int(try pointers.integer(bytes: 2))
                do {
                    cells.append(try SalvagedCell(tree, page[..<usable], at: offset))
                } catch {
                    continue
                }
            }
        } catch {
            // The pointers exceed the page: only the cells before that are valid.
            return cells
        }
        return cells
    }

    /// "B-tree Cell Format"; for how much of a long row is on this page, "Cell Payload Overflow Pages".
    private init(_ tree: Tree, _ page: ArraySlice<UInt8>, at offset: Int) throws(PageFault) {
        let usable = page.count
        var bytes = try SalvagedBytes(page, at: offset)
        let payload = try bytes.count(max: Self.payloadBytesMax)
        guard payload > 0 else { throw PageFault(field: "payload") }
        number = tree == .table ? Int64(bitPattern: try bytes.varint()) : 0
        let localMax = tree == .table ? usable - 35 : (usable - 12) * 64 / 255 - 23
        self.tree = tree
        payloadBytes = payload
        if payload <= localMax {
            local = try bytes.take(payload)
            overflow = nil
        } else {
            let localMin = (usable - 12) * 32 / 255 - 23
            let fitting = localMin + (payload - localMin) % (usable - 4)
            local = try bytes.take(fitting <= localMax ? fitting : localMin)
            overflow = UInt32(try bytes.integer(bytes: 4))
        }
    }
}
