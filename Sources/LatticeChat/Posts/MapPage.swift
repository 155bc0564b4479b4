package import LatticeAPI

package struct MapPage {
    private let page: ItemPage
    private let context: CommandContext
    private let isBraille: Bool
    private let landmarks: [PlaceMap.Landmark]
    private let choices: [Double]

    /// - Parameters:
    ///   - places: named places around, nearest first.
    ///   - isBraille: false draws plain ASCII.
    ///   - choices: metres of the rings, ascending.
    package init(
        _ page: ItemPage, places: [ItemInfo] = [], isBraille: Bool, choices: [Double] = PostLimit.radiusChoices,
        _ context: CommandContext
    ) {
        (self.page, self.isBraille, self.choices, self.context) = (page, isBraille, choices, context)
        landmarks = places.compactMap { item in
            guard let name = item.title, let place = item.place else { return nil }
            return PlaceMap.Landmark(name: name, place: place)
        }
    }

    /// How many items fit below a map of at least half the screen, at least one; the rest goes to the next page.
    ///
    /// - Parameter more: the hint shown if more items follow.
    package func itemsThatFit(more: String) -> Int {
        guard context.isTerminal else { return page.items.count }
        let all = free(below: page.items.count, more: page.next == nil ? "" : more)
        if all >= mapRowsMin { return page.items.count }
        return (1..<max(2, page.items.count)).last { free(below: $0, more: more) >= mapRowsMin } ?? 1
    }

    /// The map of the whole page in the rows that the list leaves free, and an empty line.
    ///
    /// - Parameter listed: how many items the list shows. The map shows the others, too, so that its scale stays the
    ///   same.
    package func lines(listed: Int, more: String) -> [String] {
        guard let centre = page.centre else { return [] }
        let rows = context.isTerminal ? max(mapRowsMin, free(below: listed, more: more)) : context.rows
        return PlaceMap(page, centre: centre, landmarks: landmarks, choices: choices).lines(
            columns: context.columns, rows: rows, isBraille: isBraille) + gap
    }

    private var mapRowsMin: Int { max(PlaceMap.linesMin, context.rows / 2 - 1) }

    /// A small screen has no empty line.
    private var gap: [String] { context.isTerminal && context.rows < 16 ? [] : [""] }

    /// Rows left by the list, the hint below it and the prompt.
    private func free(below count: Int, more: String) -> Int {
        let list = ItemLines.list(Array(page.items.prefix(count)), context).count
        let hint = TextWrap.lines(more, columns: max(1, context.columns - 1)).count
        return context.rows - 1 - gap.count - list - hint
    }
}
