package import LatticeCore

/// A change of my name, my rooms or my away text made by another front of the same node, or by a program.
package enum ChangeElsewhere: Hashable, Sendable {
    case renamed(PeerName)
    case joined(RoomName, isPrivate: Bool)
    case left(RoomName, wasCurrent: Bool)
    /// I was already in the room when it was public.
    case becamePrivate(RoomName)
    /// `nil` means back.
    case away(String?)

    private static let doer = "by another program of yours"

    var text: String {
        switch self {
        case .renamed(let name): "You are now called \(DisplayText.isolated(name.text)), renamed \(Self.doer)."
        case .joined(let room, let isPrivate):
            "You are now also in \(RoomLines.name(room, isPrivate: isPrivate)), joined \(Self.doer)."
        case .left(let room, let wasCurrent):
            "You are no longer in \(DisplayText.isolated(room.text)), left \(Self.doer)."
                + (wasCurrent ? " You are not in a room now; use /join #room." : "")
        case .becamePrivate(let room):
            "\(DisplayText.isolated(room.text)) is now private, changed \(Self.doer). Only its members can read it."
        case .away(let text?): "\(AwayPhrases.left(text)) Marked \(Self.doer)."
        case .away(nil): "\(AwayPhrases.back) Marked \(Self.doer)."
        }
    }
}
