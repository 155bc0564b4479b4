package import LatticeCore
package import LatticeGeo

// The card of a mesh: its name, what its owner says about it, and defaults that everybody's own settings override. A node
// takes the card of one key.

/// A part of the world.
package struct MapArea: Hashable, Sendable, Codable {
    package static let metresRange = 10...1_000_000

    package let centre: Coordinate
    /// From the centre to the edge, in `metresRange`.
    package let metres: Int

    package init(_ centre: Coordinate, metres: Int) { (self.centre, self.metres) = (centre, metres) }
}

package struct MeshCard: Hashable, Sendable, Codable {
    /// A place that lists show first.
    package struct Pin: Hashable, Sendable, Codable {
        package let id: RecordID
        /// Absent if the place is not here, or was deleted. As its author wrote it; not yet made safe for a screen.
        package let name: String?

        package init(_ id: RecordID, name: String?) { (self.id, self.name) = (id, name) }
    }

    package let record: RecordID
    /// What its signer is called on it.
    package let authorName: String
    /// When it was last signed, or when it came if that was earlier. Its signer's node signs it again every day.
    package let at: WallTime
    /// This text and all others are as their author wrote them; not yet made safe for a screen.
    package let name: String
    package var about: String?
    package var area: MapArea?
    /// The greatest length of a post or comment, in characters.
    package var textLength: Int?
    /// How far away people may choose to read, in metres, ascending; absent, or at least one.
    package var radiusChoices: [Int]?
    package var pins: [Pin] = []
    package var welcome: String?
    package var rules: String?

    package init(record: RecordID, authorName: String, at: WallTime, name: String) {
        (self.record, self.authorName, self.at, self.name) = (record, authorName, at, name)
    }
}

/// What a front offers unless its own settings say otherwise: from the card of the mesh, or built in.
package struct MeshDefaults: Hashable, Sendable, Codable {
    /// The greatest length of a post or comment, in characters, as the node takes them.
    package var textClusters: Int
    /// Metres, ascending; at least one.
    package var radiusChoices: [Double]

    /// The choice that applies if a person makes none: the second, or the only one.
    package var radius: Double { radiusChoices.count > 1 ? radiusChoices[1] : radiusChoices[0] }

    package init(textClusters: Int = PostLimit.textClusters, radiusChoices: [Double] = PostLimit.radiusChoices) {
        precondition(!radiusChoices.isEmpty, "there is something to choose")
        (self.textClusters, self.radiusChoices) = (textClusters, radiusChoices)
    }
}

package struct MeshCardStatus: Hashable, Sendable, Codable {
    /// Whose card counts here; absent if nobody has said.
    package let signer: PeerID?
    /// Whether this person is the signer.
    package let isMine: Bool
    /// Absent if there is none of the signer's here.
    package let card: MeshCard?
    package let defaults: MeshDefaults

    package init(
        signer: PeerID? = nil, isMine: Bool = false, card: MeshCard? = nil, defaults: MeshDefaults = MeshDefaults()
    ) {
        (self.signer, self.isMine, self.card, self.defaults) = (signer, isMine, card, defaults)
    }
}

/// What the card says. In a change, `nil` leaves a part as it is.
package struct MeshCardDraft: Hashable, Sendable, Codable {
    /// A part that a card may lack.
    package enum Part: String, Hashable, Sendable, CodedAsWord {
        case about
        case area
        case textLength
        case radiusChoices
        case pins
        case welcome
        case rules
    }

    package var name: String?
    package var about: String?
    package var area: MapArea?
    package var textLength: Int?
    /// Metres, in any order.
    package var radiusChoices: [Int]?
    package var pins: [PlaceReference]?
    package var welcome: String?
    package var rules: String?

    package init() {}
}

/// The card of the mesh, and the defaults in force.
package struct ShowMeshCard: Request {
    package static let name = "mesh.card"
    package static let replyName = "mesh.card"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = MeshCardStatus

    package init() {}
}

/// Writes the owner's card, or changes it. From then on theirs counts here.
///
/// - Throws: `invalid`; `unknownPlace`.
package struct SetMeshCard: Request {
    package static let name = "mesh.setCard"
    package static let replyName = "mesh.card"
    package typealias Reply = MeshCardStatus

    package let card: MeshCardDraft
    /// Parts that the card has no longer; those in `card` stay.
    @OrNone package var remove: [MeshCardDraft.Part]

    package init(_ card: MeshCardDraft, remove: [MeshCardDraft.Part] = []) {
        (self.card, self.remove) = (card, remove)
    }
}

/// Chooses whose card counts here.
package struct TakeMeshCard: Request {
    package static let name = "mesh.takeCard"
    package static let replyName = "mesh.card"
    package typealias Reply = MeshCardStatus

    /// `nil`: no card counts.
    package let peer: PeerReference?

    package init(_ peer: PeerReference?) { self.peer = peer }
}
