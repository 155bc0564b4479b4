package import LatticeAPI
import LatticeCore
import LatticeGeo

/// Drafts in the words of the terminal.
package enum DraftLines {
    /// `3  2026-12-01 18:00  40.71280,-74.00600  Water at the gate [photo]`
    package static func list(_ drafts: [DraftInfo], _ context: CommandContext) -> [String] {
        let width = drafts.map { String($0.number).count }.max() ?? 1
        return drafts.flatMap { draft in
            let number = String(draft.number)
            let margin = String(repeating: " ", count: width - number.count)
            let words = DisplayText.safe(draft.text.replacing("\n", with: context.isUTF8 ? " ⏎ " : " "))
            let photo = draft.photo == nil ? "" : " [photo]"
            let row = "\(margin)\(number)  \(context.calendar.text(draft.written))  \(place(draft))  \(words)\(photo)"
            guard context.isTerminal else { return [DisplayText.isolated(row)] }
            let lines = TextWrap.lines(row, columns: context.columns - 1 - width - 2)
            return lines.enumerated().map { index, line in
                (index == 0 ? "" : String(repeating: " ", count: width + 2)) + DisplayText.isolated(line)
            }
        }
    }

    package static func detail(_ draft: DraftInfo, _ context: CommandContext) -> [String] {
        let age = DurationText.age(of: draft.written, at: context.now)
        let ago = age == "now" ? "just now" : "\(age) ago"
        var facts = ["at \(place(draft))", "written \(context.calendar.text(draft.written)) (\(ago))"]
        if let lifetime = draft.lifetime {
            facts.append("expires \(DurationText.whole(lifetime.components.seconds)) after it is published")
        }
        if draft.isUrgent { facts.append("urgent") }
        if let metres = draft.unlockMetres {
            facts.append("locked: read it within \(DistanceText.string(Double(metres)))")
        }
        let lines = draft.text.split(separator: "\n", omittingEmptySubsequences: false).map {
            DisplayText.safe(String($0))
        }
        let photo = draft.photo.map { PhotoPhrases.words($0) ?? PhotoPhrases.mark($0, context) }
        return [context.styled("Draft \(draft.number)", "36")]
            + (facts + [""] + lines + (photo.map { [$0] } ?? [])).flatMap { ItemLines.wrapped($0, indent: 2, context) }
    }

    /// `Gate, 40.71280,-74.00600`
    private static func place(_ draft: DraftInfo) -> String {
        let coordinate = "\(draft.blur == nil ? "" : "about ")\(draft.place)"
        return draft.placeName.map { "\(DisplayText.safe($0)), \(coordinate)" } ?? coordinate
    }
}
