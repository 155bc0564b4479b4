import Glibc
package import LatticeAPI
package import LatticeGeo

/// The surroundings of a place, drawn for a terminal: rings at the radius choices, north up, what was left around as the
/// numbers it has in the list, the place itself as `@` in the middle. A cell is taken to be twice as high as wide.
package struct PlaceMap: Sendable {
    package struct Pin: Hashable, Sendable {
        /// Its number in the list.
        package let number: Int
        package let place: Coordinate

        package init(number: Int, place: Coordinate) {
            self.number = number
            self.place = place
        }
    }

    private let centre: Coordinate
    private let pins: [Pin]
    /// Metres from the middle to the edge.
    private let extent: Double

    /// A ring that is smaller cannot be told from the place in its middle.
    private static let ringColumnsMin = 3.0
    /// Beyond the choices, for what lies so far away that they vanish: metres.
    private static let widerRings: [Double] = [10_000, 25_000, 50_000, 100_000]
    /// The sheet is no smaller, and no larger: a guess at what can be overlooked.
    private static let columnsRange = 20...200
    private static let rowsRange = 7...60

    /// The scale is the smallest of the choices that holds every pin, or else the distance of the furthest one.
    ///
    /// - Parameter radius: metres to show if there are no pins.
    package init(centre: Coordinate, pins: [Pin], radius: Double = WallLimit.radius) {
        self.centre = centre
        self.pins = pins
        let furthest = pins.map { centre.distance(to: $0.place) }.max() ?? radius
        // A place that was left at a ring may lie a hair beyond it, as coordinates are rounded.
        extent = WallLimit.radiusChoices.first { $0 + 1 >= furthest } ?? furthest
    }

    package init(_ page: ItemPage, centre: Coordinate) {
        let pins = page.items.enumerated().compactMap { index, item in
            item.place.map { Pin(number: index + 1, place: $0) }
        }
        self.init(centre: centre, pins: pins, radius: page.radius ?? WallLimit.radius)
    }

    /// The map, and below it what its signs mean.
    ///
    /// - Parameters:
    ///   - columns: of the terminal; the last is left free, since writing there breaks the line on some.
    ///   - rows: that there are for all of it; at least 7 are drawn on, however few that leaves.
    ///   - isBraille: else plain ASCII.
    package func lines(columns: Int, rows: Int, isBraille: Bool) -> [String] {
        let columns = min(max(columns - 1, Self.columnsRange.lowerBound), Self.columnsRange.upperBound)
        // How much there is to explain follows from the size, and the other way round: the second try is near enough.
        let first = Self.rows(rows - 2)
        let notes = legend(groups(on: Sheet(columns: columns, rows: first, extent: extent)), columns)
        let rows = Self.rows(rows - 1 - notes.count)
        let sheet = Sheet(columns: columns, rows: rows, extent: extent)
        var canvas = MapCanvas(columns: columns, rows: rows, isBraille: isBraille)
        for ring in rings(on: sheet) { draw(ring, on: sheet, &canvas) }
        let groups = groups(on: sheet)
        for group in groups { canvas.write(group.label, column: group.column, row: group.row) }
        canvas.write("@", column: sheet.middleColumn, row: sheet.middleRow)
        let north = String(repeating: " ", count: sheet.middleColumn) + "N"
        return [north] + canvas.lines + legend(groups, columns)
    }

    private func legend(_ groups: [PinGroup], _ columns: Int) -> [String] {
        (["@ is \(centre); north is up"] + groups.compactMap(\.note)).flatMap { TextWrap.lines($0, columns: columns) }
    }

    /// An odd number, which has a row in the middle.
    private static func rows(_ room: Int) -> Int {
        (min(max(room, rowsRange.lowerBound), rowsRange.upperBound) - 1) / 2 * 2 + 1
    }

    private func rings(on sheet: Sheet) -> [Double] {
        let choices = WallLimit.radiusChoices + (extent > 5_000 ? Self.widerRings : [])
        return choices.filter { $0 <= extent && $0 / sheet.metresPerColumn >= Self.ringColumnsMin }
    }

    private func draw(_ ring: Double, on sheet: Sheet, _ canvas: inout MapCanvas) {
        // A quarter and its images: the sides are alike. Four dots for each column leave no gaps, even in braille.
        let steps = Int(4 * ring / sheet.metresPerColumn)
        let (column, row) = (Double(sheet.middleColumn) + 0.5, Double(sheet.middleRow) + 0.5)
        for step in 0...steps {
            // A hair within, so that no point falls between two cells.
            let point = sheet.point(bearing: 90 * Double(step) / Double(steps), metres: ring * 0.999)
            for (across, down) in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1)] {
                canvas.dot(column: column + across * (point.column - column), row: row + down * (point.row - row))
            }
        }
        // Rings are round numbers.
        let label = DistanceText.string(ring).replacing(".0 km", with: " km")
        let bottom = sheet.cell(bearing: 180, metres: ring)
        canvas.write(label, column: bottom.column - label.count / 2, row: bottom.row)
    }

    /// Pins whose numbers would be written over each other, or over the middle, go by the first of them.
    private func groups(on sheet: Sheet) -> [PinGroup] {
        var groups = [PinGroup(column: sheet.middleColumn, row: sheet.middleRow, isMiddle: true, numbers: [])]
        for pin in pins {
            let cell = sheet.cell(bearing: centre.bearing(to: pin.place), metres: centre.distance(to: pin.place))
            let width = String(pin.number).count
            let column = min(max(0, cell.column - (width - 1) / 2), sheet.columns - width)
            let group = PinGroup(column: column, row: cell.row, isMiddle: false, numbers: [pin.number])
            if let index = groups.firstIndex(where: { $0.touches(group) }) {
                groups[index].numbers.append(pin.number)
            } else {
                groups.append(group)
            }
        }
        return groups
    }
}

/// Pins that share a sign on the map.
private struct PinGroup {
    let column: Int
    let row: Int
    let isMiddle: Bool
    var numbers: [Int]

    var label: String {
        isMiddle ? "@" : numbers.first.map(String.init) ?? ""
    }

    /// What the sign stands for besides itself.
    var note: String? {
        let others = isMiddle ? numbers[...] : numbers.dropFirst()
        guard !others.isEmpty else { return nil }
        var ranges: [ClosedRange<Int>] = []
        for number in others {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        let list = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return "\(label) is also \(list.joined(separator: ", "))"
    }

    func touches(_ other: PinGroup) -> Bool {
        row == other.row && column < other.column + other.label.count && other.column < column + label.count
    }
}

/// Where a point of the surroundings lies on paper.
private struct Sheet {
    let columns: Int
    let middleColumn: Int
    let middleRow: Int
    let metresPerColumn: Double

    init(columns: Int, rows: Int, extent: Double) {
        self.columns = columns
        middleColumn = (columns - 1) / 2
        middleRow = (rows - 1) / 2
        metresPerColumn = max(1, extent) / Double(min(middleColumn, 2 * middleRow))
    }

    /// Cells from the upper left corner; the middle of the middle cell is where one is.
    func point(bearing: Double, metres: Double) -> (column: Double, row: Double) {
        let radians = bearing * .pi / 180
        let columns = metres / metresPerColumn
        return (
            Double(middleColumn) + 0.5 + sin(radians) * columns, Double(middleRow) + 0.5 - cos(radians) * columns / 2
        )
    }

    func cell(bearing: Double, metres: Double) -> (column: Int, row: Int) {
        let point = point(bearing: bearing, metres: metres)
        return (Int(point.column.rounded(.down)), Int(point.row.rounded(.down)))
    }
}
