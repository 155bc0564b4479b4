import LatticeCore
import LatticeGeo
import Testing

struct CellTests {
    @Test func aCellIsNeverNegative() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<10_000 {
            #expect((0..<1 << 62).contains(Cell(Samples.coordinate(using: &generator)).value))
        }
        for corner in [place(-90, -180), place(-90, 179.9999999), place(90, -180), place(90, 179.9999999)] {
            #expect((0..<1 << 62).contains(Cell(corner).value))
        }
    }

    /// Written into databases: another number for a place is another schema.
    @Test func aCellsNumberStaysWhatItIs() {
        #expect(Cell(place(-90, -180)).value == 0)
        #expect(Cell(place(0, 0)).value == 730_295_763_434_864_640)
        #expect(Cell(place(40.7128, -74.0060)).value == 1_271_912_677_136_883_968)
        #expect(Cell(place(-33.8688, 151.2093)).value == 3_650_009_767_005_152_922)
    }

    @Test func noTwoParallelsShareACellAndTwoMeridiansAtMost() throws {
        var cells: [Cell: Int] = [:]
        for latitude in Int32(1000)..<1064 {
            for longitude in Int32(2000)..<2064 {
                cells[Cell(try #require(Coordinate(latitudeE7: latitude, longitudeE7: longitude))), default: 0] += 1
            }
        }
        #expect(cells.count == 64 * 32)
        #expect(cells.values.allSatisfy { $0 == 2 })
    }

    /// Hilbert's curve steps to a neighbour, always.
    @Test func theNextCellIsNextDoor() throws {
        var places: [Int64: (latitude: Int32, longitude: Int32)] = [:]
        for latitude in Int32(0)..<256 {
            for longitude in Int32(0)..<256 {
                let coordinate = try #require(Coordinate(latitudeE7: latitude, longitudeE7: longitude * 2))
                places[Cell(coordinate).value] = (latitude, longitude)
            }
        }
        var neighbours = 0
        for (value, from) in places {
            guard let to = places[value + 1] else { continue }
            #expect(abs(to.latitude - from.latitude) + abs(to.longitude - from.longitude) == 1)
            neighbours += 1
        }
        // The line leaves and enters the window now and then.
        #expect(neighbours > 60_000)
    }
}
