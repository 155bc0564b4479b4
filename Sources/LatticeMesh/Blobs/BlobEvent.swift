package import LatticeCore
package import LatticeWire

package enum BlobEvent: Sendable {
    /// A link that carries records, to a peer that exchanges blobs.
    case linkOpened(LinkID, PeerID)
    case linkClosed(LinkID)
    /// A `want`, `holds` or `absent`.
    case received(Frame, on: LinkID)
    /// A piece came; the caller has its bytes.
    case pieceCame(ask: UInt32, number: Int, on: LinkID)
    /// A person or a rule wants all of this blob.
    ///
    /// - Parameters:
    ///   - have: the pieces that are here.
    ///   - from: the link of the peer that most likely has it; `nil` if unknown.
    case wanted(BlobName, have: PieceSet, from: LinkID?)
    case unwanted(BlobName)
    /// Neighbours should keep a blob of which all is here. It is offered once on each of these links.
    case offer(BlobName, to: [LinkID])
    /// The answer to `offered`, if the blob is kept: the neighbour is asked for all of it, and nobody else is. Without
    /// a source for a minute it is `dropped`.
    case taken(BlobName, have: PieceSet, from: LinkID)
    /// The answer to `look`.
    case looked(BlobName, ask: UInt32, on: LinkID, BlobFound)
    /// The answer to `begin`; `nil` if there is no space for it.
    case began(BlobName, PieceSet?)
    /// The answer to `check`.
    case checked(BlobName, number: Int, from: LinkID, BlobVerdict)
    /// These pieces are on their way, except those that could not be read.
    case gave(BlobName, ask: UInt32, count: Int, missing: [Int], to: LinkID)
    /// Fewer than four pieces wait in the link's own queue.
    case room(LinkID)
    case tick
}

/// What there is of a blob here.
package enum BlobFound: Hashable, Sendable {
    case all
    case some(PieceSet)
    /// Nothing, or nothing that may be given.
    case nothing
    case otherSize
}

package enum BlobVerdict: Hashable, Sendable {
    case kept
    case wrong
    /// What proves it is missing.
    case again
    /// The disk is full or broken.
    case notStored
}

package enum BlobEffect: Hashable, Sendable {
    case send(Frame, to: LinkID)
    case look(BlobName, ask: UInt32, on: LinkID)
    case give(BlobName, ask: UInt32, [Int], to: LinkID)
    /// Make space for a blob that neighbours want.
    case begin(BlobName)
    /// Nobody wants it any more, or nobody can give it, and it is not complete.
    case dropped(BlobName)
    /// Verify the piece that came, and keep it.
    case check(BlobName, number: Int, from: LinkID)
    /// Verify a piece on disk: a neighbour says that it is wrong.
    case recheck(BlobName, number: Int)
    /// The number of pieces that are here.
    case progress(BlobName, Int)
    case completed(BlobName)
    /// All neighbours were asked, and nobody has it. It will be asked for again.
    case nobodyHas(BlobName)
    /// A neighbour has all of this blob and asks that it is kept here for others. Nothing needs to be answered.
    case offered(BlobName, from: LinkID)
}
