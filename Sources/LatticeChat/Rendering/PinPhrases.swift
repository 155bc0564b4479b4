import LatticeAPI
import LatticeCore

/// Sentences about pins.
enum PinPhrases {
    /// One sentence for each pin.
    static func all(_ pins: RoomPins, _ shown: [String]) -> [String] {
        guard !pins.pins.isEmpty else {
            return [
                "nothing is pinned in \(DisplayText.isolated(pins.room.text)); "
                    + "/pin N pins a line, /pin TEXT pins a text"
            ]
        }
        return zip(pins.pins, shown).map { pin, shown in "pinned by \(shown): \(text(pin))" }
    }

    static func changed(_ change: PinChange, _ shown: String, isCurrentRoom: Bool) -> String {
        let room = isCurrentRoom ? "" : " in \(DisplayText.isolated(change.room.text))"
        return change.pin.map { "\(shown) pinned\(room): \(text($0))" } ?? "\(shown) removed a pin\(room)"
    }

    /// One row. A line of somebody else begins with the name of its author.
    private static func text(_ pin: RoomPin) -> String {
        let text = MessageText.line(pin.text)
        guard let line = pin.line, line.from != pin.by.id else { return text }
        return "\(DisplayText.isolated(line.name.withoutMarks)): \(text)"
    }
}

extension RoomPins {
    var members: [(String, JSONLine.Value)] {
        [
            ("event", .text("pins")), ("room", .text(room.text)),
            ("pins", .list(pins.map { .object(JSONLine($0.members)) })),
        ]
    }
}

extension PinChange {
    var members: [(String, JSONLine.Value)] {
        [
            ("event", .text("pinned")), ("room", .text(room.text)), ("by", .text(by.id.hex)),
            ("by_name", .text(by.name?.text)), ("pin", pin.map { .object(JSONLine($0.members)) } ?? .null),
        ]
    }
}

extension RoomPin {
    fileprivate var members: [(String, JSONLine.Value)] {
        [
            ("by", .text(by.id.hex)), ("by_name", .text(by.name?.text)), ("at", .text(RFC3339.string(at))),
            ("text", .text(text)),
            ("line", line.map { .object(JSONLine(Array($0.members().dropFirst()))) } ?? .null),
        ]
    }
}
