import LatticeAPI
import LatticeCore

/// How rooms are shown in text and JSON.
enum RoomLines {
    /// The name made safe, with a star if the room is private.
    static func name(_ room: RoomName, isPrivate: Bool) -> String {
        DisplayText.isolated(room.text) + (isPrivate ? "*" : "")
    }

    static func members(_ room: RoomName, _ members: [RoomMember], _ shown: [String]) -> [String] {
        let width = shown.map { DisplayWidth.columns(of: $0) }.max() ?? 0
        let lines = zip(members, shown).map { member, name in
            let blanks = String(repeating: " ", count: width - DisplayWidth.columns(of: name) + 2)
            return "  \(name)\(blanks)\(member.state.rawValue)"
        }
        let count = members.count == 1 ? "1 member" : "\(members.count) members"
        return ["\(name(room, isPrivate: true)): \(count)"] + lines
    }

    static func object(_ room: RoomName, _ members: [RoomMember]) -> [(String, JSONLine.Value)] {
        [
            ("event", .text("members")), ("room", .text(room.text)), ("private", .flag(true)),
            (
                "members",
                .list(
                    members.map { member in
                        .object(
                            JSONLine([
                                ("id", .text(member.id.hex)), ("name", .text(member.name?.text)),
                                ("state", .text(member.state.rawValue)),
                            ]))
                    })
            ),
        ]
    }
}
