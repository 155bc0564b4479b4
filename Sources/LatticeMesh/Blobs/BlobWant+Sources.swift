import LatticeCore
import LatticeWire
import OrderedCollections

// What can come from the sources of a blob.
extension BlobWant {
    /// Whether a piece that is not here is on its way, or can be asked for on other links than this one.
    func canCome(_ number: Int, except link: LinkID) -> Bool {
        if checking.contains(number) { return true }
        return sources.contains { $0.key != link && $0.value.holds(number) }
    }

    /// What sources on other links than this one have, and how near the nearest of them is; `nil` if there are none.
    ///
    /// - Returns: `pieces` is `nil` if all are there.
    func behind(except link: LinkID) -> (away: UInt8, pieces: PieceSet?)? {
        var away: UInt8?
        var pieces: PieceSet? = PieceSet(of: shape.pieceCount)
        for (other, source) in sources where other != link && source.hasAny {
            guard let distance = source.away else { continue }
            away = min(away ?? distance, distance)
            if source.hasAll { pieces = nil }
            for range in source.has?.ranges ?? [] { pieces?.insert(range) }
        }
        guard let away else { return nil }
        return (away, pieces)
    }

    /// Whether a source can send something that is wanted, or was asked for something.
    func isUseful(_ source: Source) -> Bool {
        guard source.away != nil else { return false }
        if source.hasAll || !source.owed.isEmpty { return true }
        guard let has = source.has else { return false }
        var next = open.first(in: has)
        while let number = next {
            if canBeProven(number, by: source) { return true }
            // Nor can those that the same node proves.
            next = open.first(from: shape.end(ofSiblings: number), in: has)
        }
        return false
    }

    var hasSource: Bool { sources.values.contains { isUseful($0) } }

    /// Whether the nodes above a piece are here, on their way, or can be sent by this source.
    private func canBeProven(_ number: Int, by source: Source) -> Bool {
        var piece = number
        while let parent = shape.parent(of: piece)?.number {
            if have.contains(parent) || checking.contains(parent) || owedBy[parent] != nil { return true }
            guard source.holds(parent) else { return false }
            piece = parent
        }
        return true
    }
}
