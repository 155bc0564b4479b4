package import LatticeAPI
import LatticeCore
import LatticeGeo

/// The card of the mesh, for people and programs.
package enum CardLines {
    package static func output(_ status: MeshCardStatus, _ context: CommandContext) -> CommandOutput {
        let objects = [object(status)]
        guard let card = status.card else {
            return CommandOutput([], remarks: [missing(status, context)], objects: objects)
        }
        var lines = [context.styled(DisplayText.isolated(card.name), "36")]
        lines.append("  " + context.styled(signed(card, status, context), "2"))
        if let about = card.about { lines += paragraphs(about, context) }
        if let welcome = card.welcome { lines += ItemLines.wrapped(DisplayText.isolated(welcome), indent: 2, context) }
        lines += facts(card).flatMap { ItemLines.wrapped($0, indent: 2, context) }
        if let rules = card.rules { lines += ["", context.styled("House rules", "36")] + paragraphs(rules, context) }
        return CommandOutput(lines, objects: objects)
    }

    /// Shown at the start of a chat, and when the card comes; `nil` if it greets nobody.
    static func greeting(_ status: MeshCardStatus, _ context: CommandContext) -> CommandOutput? {
        guard let card = status.card, card.welcome != nil || card.rules != nil else { return nil }
        let name = DisplayText.isolated(card.name)
        let hint = card.rules == nil ? "" : " House rules: \(context.call("mesh"))"
        let words = card.welcome.map { "\(name): \(DisplayText.isolated($0))" } ?? "Welcome to \(name)."
        return CommandOutput([words + hint], objects: [object(status)])
    }

    /// - Returns: what a card would be, and how one makes one.
    private static func missing(_ status: MeshCardStatus, _ context: CommandContext) -> String {
        guard let signer = status.signer else {
            return "This mesh has no card, which would give its name, rules and defaults; write one: "
                + context.call("mesh set --called NAME")
        }
        return "The card of this mesh, signed by #\(signer.short), has not come yet."
    }

    private static func signed(_ card: MeshCard, _ status: MeshCardStatus, _ context: CommandContext) -> String {
        let name = status.signer.map { "\(DisplayText.isolated(card.authorName))#\($0.short)" } ?? ""
        let age = DurationText.age(of: card.at, at: context.now)
        return "signed by \(name)\(status.isMine ? " (you)" : ""), \(age == "now" ? "just now" : "\(age) ago")"
    }

    private static func facts(_ card: MeshCard) -> [String] {
        var facts: [String] = []
        if !card.pins.isEmpty {
            let names = card.pins.map { pin in
                pin.name.map { DisplayText.isolated($0) } ?? "\(pin.id.hex.prefix(6)) (not here)"
            }
            facts.append("places: \(names.joined(separator: ", "))")
        }
        if let area = card.area {
            facts.append("map: \(distance(area.metres)) around \(area.centre)")
        }
        if let choices = card.radiusChoices {
            facts.append("reading distance: \(choices.map(distance).joined(separator: ", "))")
        }
        if let length = card.textLength { facts.append("posts and comments: up to \(length) characters") }
        return facts
    }

    private static func distance(_ metres: Int) -> String {
        DistanceText.string(Double(metres)).replacing(".0 km", with: " km")
    }

    /// Lines of the author's stay apart.
    private static func paragraphs(_ text: String, _ context: CommandContext) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap { line in
            ItemLines.wrapped(DisplayText.isolated(String(line)), indent: 2, context)
        }
    }

    static func object(_ status: MeshCardStatus) -> JSONLine {
        typealias Value = JSONLine.Value
        let card = status.card
        let pins: [Value] = (card?.pins ?? []).map { pin in
            .object(JSONLine([("id", .text(pin.id.hex)), ("name", .text(pin.name))]))
        }
        let area = card?.area.map { area in
            Value.object(
                JSONLine([
                    ("lat", .number(area.centre.latitude)), ("lon", .number(area.centre.longitude)),
                    ("metres", .integer(area.metres)),
                ]))
        }
        return JSONLine([
            ("event", .text("card")), ("signer", .text(status.signer?.hex)), ("mine", .flag(status.isMine)),
            ("name", .text(card?.name)), ("signer_name", .text(card?.authorName)),
            ("at", .text(card.map { RFC3339.string($0.at) })), ("description", .text(card?.about)),
            ("area", area ?? .null), ("text_length", card?.textLength.map { .integer($0) } ?? .null),
            ("radius", .list((card?.radiusChoices ?? []).map { .integer($0) })), ("pins", .list(pins)),
            ("welcome", .text(card?.welcome)), ("rules", .text(card?.rules)),
        ])
    }
}
