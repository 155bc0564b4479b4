import Glibc
package import LatticeAPI
import LatticeCore
package import LatticeGeo

/// A map of the surroundings for a terminal: north is up, rings mark distances, numbers refer to the list, and `@` is
/// the place itself. Assumes that a cell is twice as high as wide.
package struct PlaceMap: Sendable {
    package struct Pin: Hashable, Sendable {
        package let number: Int
        package let place: Coordinate

        package init(number: Int, place: Coordinate) {
            self.number = number
            self.place = place
        }
    }

    /// A named place. It has no number, since the list below the map has other things.
    package struct Landmark: Hashable, Sendable {
        package let name: String
        package let place: Coordinate

        package init(name: String, place: Coordinate) {
            self.name = name
            self.place = place
        }
    }

    private let centre: Coordinate
    private let pins: [Pin]
    /// Nearest first: these keep their names where they are crowded.
    private let landmarks: [Landmark]
    /// Numbers of items too far away to draw.
    private let beyond: [Int]
    /// Metres from the middle to the edge.
    private let extent: Double
    /// Metres of the rings, ascending.
    private let choices: [Double]

    /// A smaller ring cannot be told from the place in the middle.
    private static let ringColumnsMin = 3.0
    /// Metres; used if the map is so wide that the usual rings vanish.
    private static let widerRings: [Double] = [10_000, 25_000, 50_000, 100_000]
    /// Limits of the grid, a guess at what people can take in.
    private static let columnsRange = 20...200
    private static let rowsRange = 5...60
    /// A smaller grid uses the line of the letter N better.
    private static let rowsWithNorthMin = 9
    /// A longer name is cut.
    private static let nameColumnsMax = 14

    /// The smallest grid plus the line below it.
    static let linesMin = rowsRange.lowerBound + 1

    /// The scale is the smallest radius choice that holds all pins, else the distance of the furthest pin.
    ///
    /// - Parameters:
    ///   - radius: metres to show if there are no pins.
    ///   - beyond: list numbers of items that are too far away to draw.
    ///   - choices: metres of the rings, ascending.
    package init(
        centre: Coordinate, pins: [Pin], radius: Double = PostLimit.radius, beyond: [Int] = [],
        landmarks: [Landmark] = [], choices: [Double] = PostLimit.radiusChoices
    ) {
        self.choices = choices
        self.centre = centre
        self.pins = pins
        self.landmarks = landmarks
        self.beyond = beyond
        let furthest = pins.map { centre.distance(to: $0.place) }.max() ?? radius
        // Coordinates are rounded, so a place at a ring may lie slightly beyond it.
        extent = choices.first { $0 + 1 >= furthest } ?? furthest
    }

    /// Distant items would shrink everything else, so they are only named below the map.
    package init(
        _ page: ItemPage, centre: Coordinate, landmarks: [Landmark] = [], choices: [Double] = PostLimit.radiusChoices
    ) {
        var (pins, beyond): ([Pin], [Int]) = ([], [])
        for (index, item) in page.items.enumerated() {
            if item.state == .tooFar {
                beyond.append(index + 1)
            } else if let place = item.place {
                pins.append(Pin(number: index + 1, place: place))
            }
        }
        self.init(
            centre: centre, pins: pins, radius: page.radius ?? PostLimit.radius, beyond: beyond,
            landmarks: landmarks, choices: choices)
    }

    /// The map and its legend.
    ///
    /// - Parameters:
    ///   - columns: width of the terminal; the last column stays free, since writing there breaks the line on some.
    ///   - rows: for map and legend, at least six.
    ///   - isBraille: false draws plain ASCII.
    package func lines(columns: Int, rows: Int, isBraille: Bool) -> [String] {
        let columns = min(max(columns - 1, Self.columnsRange.lowerBound), Self.columnsRange.upperBound)
        let hasNorth = rows >= Self.rowsWithNorthMin
        let north = hasNorth ? 1 : 0
        let notesMax = max(1, rows - Self.rowsRange.lowerBound - north)
        // Legend and grid size depend on each other; the second pass is close enough.
        let first = Sheet(columns: columns, rows: Self.rows(rows - 1 - north), extent: extent)
        let notesCount = min(notesMax, legend(groups(on: first), on: first).count)
        let sheetRows = Self.rows(rows - notesCount - north)
        let sheet = Sheet(columns: columns, rows: sheetRows, extent: extent)
        var canvas = MapCanvas(columns: columns, rows: sheetRows, isBraille: isBraille)
        for ring in rings(on: sheet) { draw(ring, on: sheet, &canvas) }
        let groups = groups(on: sheet)
        for mark in marks(on: sheet, beside: groups) { canvas.write(mark.label, column: mark.column, row: mark.row) }
        for group in groups { canvas.write(group.label, column: group.column, row: group.row) }
        canvas.write("@", column: sheet.middleColumn, row: sheet.middleRow)
        let head = hasNorth ? [String(repeating: " ", count: sheet.middleColumn) + "N"] : []
        return head + canvas.lines + legend(groups, on: sheet).prefix(max(1, rows - north - sheetRows))
    }

    private func legend(_ groups: [PinGroup], on sheet: Sheet) -> [String] {
        let shared = groups.compactMap(\.note).joined(separator: "; ")
        let far = beyond.isEmpty ? "" : "too far away to show: \(PinGroup.ranges(beyond[...]))"
        let named = marks(on: sheet, beside: groups).isEmpty ? "" : "; # is a named place"
        return ["@ is \(centre); north is up\(named)", shared, far].flatMap {
            TextWrap.lines($0, columns: sheet.columns)
        }
    }

    /// Rounds down to an odd number, which has a middle row.
    private static func rows(_ free: Int) -> Int {
        (min(max(free, rowsRange.lowerBound), rowsRange.upperBound) - 1) / 2 * 2 + 1
    }

    private func rings(on sheet: Sheet) -> [Double] {
        let choices = choices + (extent > 5_000 ? Self.widerRings : [])
        return choices.filter { $0 <= extent && $0 / sheet.metresPerColumn >= Self.ringColumnsMin }
    }

    private func draw(_ ring: Double, on sheet: Sheet, _ canvas: inout MapCanvas) {
        // A quarter circle and its mirror images. Four dots for each column leave no gaps, even in braille.
        let steps = Int(4 * ring / sheet.metresPerColumn)
        let (column, row) = (Double(sheet.middleColumn) + 0.5, Double(sheet.middleRow) + 0.5)
        for step in 0...steps {
            // Slightly inside the ring, so that no point falls between two cells.
            let point = sheet.point(bearing: 90 * Double(step) / Double(steps), metres: ring * 0.999)
            for (across, down) in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1)] {
                canvas.dot(column: column + across * (point.column - column), row: row + down * (point.row - row))
            }
        }
        let label = DistanceText.string(ring).replacing(".0 km", with: " km")
        let bottom = sheet.cell(bearing: 180, metres: ring)
        canvas.write(label, column: bottom.column - label.count / 2, row: bottom.row)
    }

    /// Each with its name where that covers nothing, else without.
    private func marks(on sheet: Sheet, beside groups: [PinGroup]) -> [Mark] {
        var taken = groups.map { Mark(label: $0.label, column: $0.column, row: $0.row) }
        for landmark in landmarks {
            let metres = centre.distance(to: landmark.place)
            guard metres <= extent else { continue }
            let cell = sheet.cell(bearing: centre.bearing(to: landmark.place), metres: metres)
            let name = Self.name(of: landmark)
            let labels = name.isEmpty ? ["#"] : ["#\(name)", "#"]
            let fitting = labels.lazy.map { Mark(label: $0, column: cell.column, row: cell.row) }.first { mark in
                mark.column + mark.label.count <= sheet.columns && !taken.contains { $0.touches(mark) }
            }
            if let fitting { taken.append(fitting) }
        }
        return Array(taken.dropFirst(groups.count))
    }

    /// Empty if a letter of it does not take one cell.
    private static func name(of landmark: Landmark) -> String {
        let name = DisplayText.safe(landmark.name).prefix(nameColumnsMax)
        return name.allSatisfy { DisplayWidth.columns(of: $0) == 1 && !$0.isNewline } ? String(name).trimmedAtEnd() : ""
    }

    /// Groups pins whose numbers would overlap each other or the middle; the first one labels the group.
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

/// Pins that share a label on the map.
private struct PinGroup {
    let column: Int
    let row: Int
    let isMiddle: Bool
    var numbers: [Int]

    var label: String {
        isMiddle ? "@" : numbers.first.map(String.init) ?? ""
    }

    /// What else the label stands for.
    var note: String? {
        let others = isMiddle ? numbers[...] : numbers.dropFirst()
        return others.isEmpty ? nil : "\(label) is also \(Self.ranges(others))"
    }

    /// `1, 3-5`
    static func ranges(_ numbers: ArraySlice<Int>) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }

    func touches(_ other: PinGroup) -> Bool {
        row == other.row && column < other.column + other.label.count && other.column < column + label.count
    }
}

/// What is written on the map for one landmark.
private struct Mark {
    let label: String
    let column: Int
    let row: Int

    /// Two labels side by side would read as one.
    func touches(_ other: Mark) -> Bool {
        row == other.row && column <= other.column + other.label.count && other.column <= column + label.count
    }
}

/// The projection of the surroundings onto the grid.
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

    /// Fractional cells from the upper left corner; the place is at the centre of the middle cell.
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
