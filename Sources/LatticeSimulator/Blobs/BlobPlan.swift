/// A trial about blobs: peers, what they have and want, liars, and incidents.
package struct BlobPlan: Sendable, CustomStringConvertible {
    /// A blob of virtual bytes.
    package struct Blob: Hashable, Sendable {
        /// In bytes.
        package var size: Int64
        /// The number of the blob that has this root in truth; `nil` if this is a true name.
        package var falseNameOf: Int?

        package init(size: Int64, falseNameOf: Int? = nil) {
            (self.size, self.falseNameOf) = (size, falseNameOf)
        }
    }

    package var topology: Topology
    package var seed: UInt64
    package var sabotage = BlobSabotage.none
    package var blobs: [Blob]
    /// One for each peer; `nil` for an honest one.
    package var lies: [BlobLie?]
    /// Bytes of blobs that pass by, for each peer.
    package var passingMax: [Int64]
    /// What each link carries in each direction, and the time one way in milliseconds: drawn for each link.
    package var bytesPerSecond: ClosedRange<Int64> = 5_000_000...5_000_000
    package var delay: ClosedRange<Int64> = 2...10
    package var weather: [BlobWeather] = []
    /// The end of the storm, in milliseconds. From then on everybody must get what they want.
    package var calmAt: Int64
    /// In milliseconds.
    package var end: Int64

    package init(_ topology: Topology, seed: UInt64, blobs: [Blob], calmAt: Int64 = 0, end: Int64 = 3_600_000) {
        (self.topology, self.seed, self.blobs, self.calmAt, self.end) = (topology, seed, blobs, calmAt, end)
        lies = Array(repeating: nil, count: topology.count)
        passingMax = Array(repeating: 512 << 20, count: topology.count)
    }

    package mutating func happens(at time: Int64, _ kinds: BlobWeather.Kind...) {
        weather += kinds.map { BlobWeather(at: time, $0) }
    }

    package var description: String {
        var lines = [
            "seed \(seed): \(topology), \(bytesPerSecond) bytes/s, \(delay) ms, sabotage \(sabotage.rawValue)"
        ]
        for (number, blob) in blobs.enumerated() {
            let lie = blob.falseNameOf.map { ", a false size of blob \($0)" } ?? ""
            lines.append("blob \(number): \(blob.size) bytes\(lie)")
        }
        for (peer, lie) in lies.enumerated() {
            if let lie { lines.append("peer \(peer) lies: \(lie.rawValue)") }
        }
        for (peer, bytes) in passingMax.enumerated() where bytes < 512 << 20 {
            lines.append("peer \(peer) keeps \(bytes) bytes for others")
        }
        for event in weather.sorted(by: { $0.at < $1.at }) { lines.append("\(Story.clock(event.at))  \(event.kind)") }
        lines.append("\(Story.clock(calmAt))  the storm is over")
        return lines.joined(separator: "\n")
    }
}

/// How a peer lies about blobs.
package enum BlobLie: String, Hashable, Sendable, CaseIterable {
    /// Claims to have everything and gives nothing.
    case silent
    /// The same, and goes on claiming.
    case talks
    /// Gives one piece every four seconds.
    case drips
    /// Gives pieces that are not those of the blob.
    case wrongPieces
    /// Claims to have everything, declines every piece, and claims again.
    case falseHolds
    /// Gives leaves before the nodes that prove them.
    case wrongOrder
    /// Asks for everything again and again.
    case endlessWants
    /// Looks for blobs that do not exist.
    case endlessSeeks
    /// Offers blobs that do not exist.
    case endlessOffers

    /// In milliseconds.
    static let mischiefInterval: Int64 = 500
    static let dripInterval: Int64 = 4_000
    /// Frames to each neighbour at a time.
    static let floodCount = 8

    /// Whether it does nothing but flood its neighbours.
    var floods: Bool { self == .endlessWants || self == .endlessSeeks || self == .endlessOffers }
}

/// A deliberate bug that the judges must find.
package enum BlobSabotage: String, Hashable, Sendable, CaseIterable {
    case none
    /// An idle source is not asked for what a slow one owes.
    case noEndGame
    /// A source that is late is waited for.
    case forgetLate
    /// A source that declines is still believed.
    case believeHolds
    /// Neighbours are never asked to look further.
    case noSecondRing
    /// A blob is looked for over any number of links.
    case forwardAlways
    /// Pieces are kept as they come.
    case skipVerify
    /// A piece counts as kept before its bytes are written.
    case bitBeforeBytes
    /// What a power cut left is believed without a check.
    case trustAfterPowerCut
    /// A giver sends what it has under another size.
    case blameOnSize
    /// Pieces that were cancelled count as unasked.
    case blameAfterCancel
    /// Every source is asked for every piece.
    case askEverybody
    /// Nothing is ever cancelled.
    case noCancel
    /// A restart forgets what was there.
    case noMap
    /// What passes by counts once it is complete.
    case countLate
    /// A deletion removes nothing.
    case noTrigger
}

/// Something that happens to a world of blobs.
package struct BlobWeather: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The peer has every `every`th piece of a blob, beginning with piece `from`.
        case keep(Int, blob: Int, from: Int = 0, every: Int = 1)
        /// A person wants a blob. If `within` is known, it must be there after that many milliseconds.
        case want(Int, blob: Int, within: Int64? = nil)
        case unwant(Int, blob: Int)
        /// The peer offers a blob to its neighbours.
        case offer(Int, blob: Int)
        /// A deletion reaches a peer.
        case delete(Int, blob: Int)
        case cut(Int, Int)
        case join(Int, Int)
        /// What two peers send each other is held back for this many milliseconds.
        case stall(Int, Int, Int64)
        case crash(Int, isPowerCut: Bool)
        case restart(Int, keepsMap: Bool)
        case fill(Int)
        case free(Int)
        /// A piece on the disk of a peer changes.
        case rot(Int, blob: Int)
    }

    /// In milliseconds.
    package let at: Int64
    package let kind: Kind

    package init(at: Int64, _ kind: Kind) {
        (self.at, self.kind) = (at, kind)
    }
}

extension BlobWeather.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .keep(let peer, let blob, 0, 1): "peer \(peer) has blob \(blob)"
        case .keep(let peer, let blob, let first, let every):
            "peer \(peer) has pieces \(first), \(first + every) … of blob \(blob)"
        case .want(let peer, let blob, let within):
            "peer \(peer) wants blob \(blob)\(within.map { " within \($0) ms" } ?? "")"
        case .unwant(let peer, let blob): "peer \(peer) no longer wants blob \(blob)"
        case .offer(let peer, let blob): "peer \(peer) offers blob \(blob)"
        case .delete(let peer, let blob): "peer \(peer) deletes blob \(blob)"
        case .cut(let left, let right): "the link between peers \(left) and \(right) breaks"
        case .join(let left, let right): "peers \(left) and \(right) are linked"
        case .stall(let left, let right, let time): "nothing passes between peers \(left) and \(right) for \(time) ms"
        case .crash(let peer, true): "peer \(peer) loses its power"
        case .crash(let peer, false): "peer \(peer) is killed"
        case .restart(let peer, true): "peer \(peer) starts again"
        case .restart(let peer, false): "peer \(peer) starts again without its map"
        case .fill(let peer): "the disk of peer \(peer) is full"
        case .free(let peer): "the disk of peer \(peer) has space again"
        case .rot(let peer, let blob): "a piece of blob \(blob) changes on the disk of peer \(peer)"
        }
    }
}
