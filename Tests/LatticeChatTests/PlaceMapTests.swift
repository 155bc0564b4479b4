import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import Testing

/// The surroundings on a terminal.
@Suite struct PlaceMapTests {
    private static func pin(_ number: Int, _ metres: Double, _ bearing: Double) -> PlaceMap.Pin {
        PlaceMap.Pin(number: number, place: PostSamples.centre.destination(bearing: bearing, distance: metres))
    }

    private static func map(_ pins: [PlaceMap.Pin], columns: Int = 40, rows: Int = 15, isBraille: Bool = false)
        -> [String]
    {
        PlaceMap(centre: PostSamples.centre, pins: pins).lines(columns: columns, rows: rows, isBraille: isBraille)
    }

    @Test func plainASCIIShowsRingsAndPins() {
        let pins = [Self.pin(1, 180, 45), Self.pin(2, 1_500, 90), Self.pin(12, 1_500, 225)]
        #expect(
            Self.map(pins) == [
                "                   N",
                "              ...........",
                "           ....         ....",
                "         ...               ...",
                "        ..                   ..",
                "       ..                     ..",
                "       .                       .",
                "       .           @1       2  .",
                "       .                       .",
                "       ..                     ..",
                "        ..   12              ..",
                "         ...               ...",
                "           ....         ....",
                "              ...2 km....",
                "@ is 40.71280,-74.00600; north is up",
            ])
    }

    @Test func namedPlacesStandBetweenThePins() {
        func landmark(_ name: String, _ metres: Double, _ bearing: Double) -> PlaceMap.Landmark {
            PlaceMap.Landmark(
                name: name, place: PostSamples.centre.destination(bearing: bearing, distance: metres))
        }
        let map = PlaceMap(
            centre: PostSamples.centre, pins: [Self.pin(1, 1_500, 90), Self.pin(2, 1_000, 0)],
            landmarks: [
                landmark("Kitchen", 900, 270), landmark("Tap by the old oak tree", 1_000, 180),
                // They would stand beside the 1 and read as one with it.
                landmark("Stage", 1_300, 90), landmark("Exit", 1_300, 90), landmark("\u{1B}[2J", 1_500, 225),
                landmark("水", 1_500, 315), landmark("Too far away", 9_000, 10),
            ])
        #expect(
            map.lines(columns: 40, rows: 15, isBraille: false) == [
                "                   N",
                "               .........",
                "            ...         ...",
                "          ... #           ...",
                "         ..        2        ..",
                "         .                   .",
                "         .     #   @      1  .",
                "         .                   .",
                "         ..        #Tap by the old",
                "          ... #[2J        ...",
                "            ...         ...",
                "               ..2 km...",
                "@ is 40.71280,-74.00600; north is up; #",
                "is a named place",
            ])
    }

    @Test func brailleShowsTheSameWithFinerRings() {
        #expect(
            Self.map([Self.pin(1, 150, 300)], isBraille: true) == [
                "                   N",
                "              ⢀⣀⡤⠤⠤⠤⠤⠤⢤⣀⡀",
                "           ⢀⠤⠚⠉         ⠉⠓⠤⡀",
                "         ⢀⠔⠃               ⠘⠢⡀",
                "        ⢠⠎                   ⠱⡄",
                "       ⢀⡏    1                ⢹⡀",
                "       ⢸                       ⡇",
                "       ⢸           @           ⡇",
                "       ⢸                       ⡇",
                "       ⠈⣇                     ⣸⠁",
                "        ⠘⢆                   ⡰⠃",
                "         ⠈⠢⡄               ⢠⠔⠁",
                "           ⠈⠒⢤⣀         ⣀⡤⠒⠁",
                "              ⠈⠉⠓250 m⠚⠉⠁",
                "@ is 40.71280,-74.00600; north is up",
            ])
    }

    @Test func pinsThatWouldHideEachOtherGoByTheFirst() {
        let pins = [
            Self.pin(1, 1_000, 0), Self.pin(2, 1_010, 0), Self.pin(3, 1, 0), Self.pin(4, 1_005, 1), Self.pin(5, 0, 0),
            Self.pin(6, 1_500, 90),
        ]
        let lines = Self.map(pins, rows: 17)
        #expect(lines.last == "@ is also 3, 5; 1 is also 2, 4")
        let drawing = lines.prefix { !$0.hasPrefix("@ is") }.joined()
        #expect(["2", "3", "4", "5"].allSatisfy { !drawing.replacing("2 km", with: "").contains($0) })
        #expect(drawing.contains("1") && drawing.contains("6"))
    }

    @Test func theScaleIsTheSmallestChoiceThatHoldsEveryPin() {
        for (metres, rings) in [
            (10.0, ["250 m"]), (250, ["250 m"]), (252, ["2 km"]), (2_002, ["2 km", "5 km"]), (7_000, ["2 km", "5 km"]),
            (30_000, ["5 km", "10 km", "25 km"]), (100_000, ["25 km", "50 km"]),
        ] {
            let drawing = Self.map([Self.pin(1, metres, 100)], columns: 80, rows: 24).joined()
            let shown = ["250 m", "2 km", "5 km", "10 km", "25 km", "50 km"].filter { ring in
                drawing.ranges(of: ring).contains { range in
                    drawing[..<range.lowerBound].last?.isNumber != true
                }
            }
            #expect(shown == rings, "\(metres)")
        }
    }

    @Test func everyMapFitsItsTerminal() {
        for columns in [1, 20, 33, 80, 81, 200, 10_000] {
            for rows in [1, 9, 12, 24, 25, 60, 10_000] {
                let pins = (0..<40).map { Self.pin($0 * 7 + 1, Double($0 * $0 * 60), Double($0 * 37)) }
                let lines = Self.map(pins, columns: columns, rows: rows, isBraille: columns % 2 == 0)
                let drawing = lines.prefix { !$0.hasPrefix("@ is") }
                #expect(drawing.allSatisfy { $0.count <= max(columns - 1, 20) })
                #expect(lines.count <= max(rows, 6) && lines.allSatisfy { $0.count <= max(columns - 1, 20) })
                #expect(drawing.first?.last == "N" || rows < 9)
            }
        }
    }

    @Test func polesAndTheAntimeridianAreLikeAnyPlace() {
        for centre in [
            PostSamples.place(90, 0), PostSamples.place(-90, 0), PostSamples.place(10, 179.999),
            PostSamples.place(89.999, -180),
        ] {
            let pins = [0, 90, 180, 270].enumerated().map { index, bearing in
                PlaceMap.Pin(number: index + 1, place: centre.destination(bearing: Double(bearing), distance: 1_500))
            }
            let drawing = PlaceMap(centre: centre, pins: pins).lines(columns: 80, rows: 24, isBraille: false).joined()
            #expect(["1", "@"].allSatisfy(drawing.contains), "\(centre)")
        }
    }

    @Test func aMapHasTheRowsThatItIsGiven() {
        let pins = (1...5).map { Self.pin($0, 1, 0) } + [Self.pin(6, 900, 0), Self.pin(7, 901, 0)]
        for rows in 10...40 {
            let lines = Self.map(pins, columns: 80, rows: rows)
            #expect(lines.count <= rows && lines.count >= min(rows - 2, 62), "\(rows)")
            #expect(lines.last == "@ is also 1-5; 6 is also 7")
        }
    }

    private static func page(_ items: [ItemInfo], next: PageCursor? = nil) -> ItemPage {
        ItemPage(items: items, centre: PostSamples.centre, radius: 2_000, next: next)
    }

    /// One post in the next town would make everything near vanish in the middle.
    @Test func whatIsTooFarToReadIsNotInTheScaleButNamed() {
        let items = [
            PostSamples.post(1, "a", metres: 180, bearing: 45),
            PostSamples.post(2, nil, metres: 9_700, bearing: 180, state: .tooFar),
            PostSamples.post(3, nil, metres: 40_000, bearing: 180, state: .tooFar),
        ]
        let lines = PlaceMap(Self.page(items), centre: PostSamples.centre)
            .lines(columns: 40, rows: 15, isBraille: false)
        #expect(lines.contains { $0.contains("250 m") } && !lines.contains { $0.contains("km") })
        #expect(lines.last == "too far away to show: 2-3")
    }

    /// A map and its list share the screen: what does not fit is the next page.
    @Test(arguments: [(40, 12), (80, 24), (80, 12), (100, 50), (40, 24)])
    func aMapAndItsListFitTheScreen(columns: Int, rows: Int) {
        let items = (1...20).map {
            PostSamples.post(UInt8($0), "Water at the gate, bring a bottle", metres: Double($0) * 90, bearing: 45)
        }
        let hint = "More: add --after n-0123456789abc-000"
        let context = CommandContext(now: PostSamples.now, columns: columns, rows: rows, isTerminal: true)
        let all = MapPage(Self.page(items, next: PageCursor("x")), isBraille: false, context)
        let count = all.itemsThatFit(more: hint)
        let shown = Array(items.prefix(count))
        let isLast = count == items.count
        let map = all.lines(listed: count, more: isLast ? "" : hint)
        #expect(map.contains { $0.contains("2 km") }, "the scale is that of all posts, listed or not")
        let hintRows = isLast ? 0 : (hint.count + columns - 1) / columns
        let used = map.count + ItemLines.list(shown, context).count + hintRows + 1
        #expect(count >= 1 && used <= rows, "\(count) posts take \(used) of \(rows) rows")
        #expect(used >= rows - 4 && map.count >= 6, "\(map.count) rows of map, \(used) used")
    }

    @Test func inAPipeAMapLeavesNothingOut() {
        let items = (1...50).map { PostSamples.post(UInt8($0), "a", metres: Double($0) * 30, bearing: 45) }
        #expect(MapPage(Self.page(items), isBraille: false, PostSamples.pipe).itemsThatFit(more: "") == 50)
    }

    @Test func withoutPinsTheRadiusIsShown() {
        #expect(Self.map([]).contains { $0.contains("2 km") })
    }
}
