package import LatticeCore

/// What another front of the same node, or a program, did to one's name and rooms.
package enum ChangeElsewhere: Hashable, Sendable {
    case renamed(PeerName)
    case joined(RoomName, isPrivate: Bool)
    case left(RoomName, wasCurrent: Bool)
    /// One was in it already when everybody read it.
    case becamePrivate(RoomName)

    private static let doer = "by another chat or program of yours"

    /// In one sentence.
    var text: String {
        switch self {
        case .renamed(let name): "you are \(DisplayText.isolated(name.text)) now, renamed \(Self.doer)"
        case .joined(let room, let isPrivate):
            "you are in \(RoomLines.name(room, isPrivate: isPrivate)) now, too, joined \(Self.doer)"
        case .left(let room, let wasCurrent):
            "you are not in \(DisplayText.isolated(room.text)) any more, left \(Self.doer)"
                + (wasCurrent ? "; you talk in no room now: /join #room" : "")
        case .becamePrivate(let room):
            "\(DisplayText.isolated(room.text)) is private now, made so \(Self.doer): only its members read what is said there"
        }
    }
}
