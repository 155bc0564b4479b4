import Testing

@Suite struct RoomTableTests {
    @Test func everyFolderOfSourcesIsARoom() throws {
        let rooms = try Checkout.names(in: "Sources")
        #expect(rooms.contains("LatticeCore"), "the checkout was not found at \(Checkout.root)")
        for name in rooms {
            #expect(RoomTable.house.room(name) != nil, "Sources/\(name) has no row in the table of rooms")
        }
    }

    @Test func everyRowLooksDown() {
        expectNone(RoomTable.house.faultsOfTheTable())
    }

    @Test func noRoomImportsMoreThanItsRowAllows() throws {
        expectNone(try Checkout.sourceFiles().flatMap(RoomTable.house.faults(in:)))
    }

    @Test func aCRoomHoldsAModuleMapAndAHeaderAndNoLogic() throws {
        // But for the one that is measured against, and those that are all data.
        let others = ["CBaseline", "CGuide", "CPage", "CVersion"]
        for room in RoomTable.house.rooms where room.level == 0 && !others.contains(room.name) {
            #expect(try Checkout.names(in: "Sources/\(room.name)") == ["module.modulemap", "shim.h"])
        }
    }

    // MARK: the check is checked

    @Test(arguments: [
        "import LatticeNode",
        "package import LatticeNode",
        "@preconcurrency import LatticeNode",
        "internal import struct LatticeNode.Node",
        "  import LatticeNode.Node // for the node",
        "import LatticeCrypto",
        "import CSodium",
        "import Foundation",
        "import FoundationEssentials",
        "import Glibc",
        "import Dispatch",
        "import NIOCore",
        "import Logging",
        "import SomethingNew",
        "@_exported import LatticeCore",
        "@testable import LatticeCore",
    ])
    func aForbiddenImportInTheMeshIsFound(line: String) {
        let file = SourceFile(path: "Sources/LatticeMesh/Planted.swift", text: "// first\n\(line)\n")
        let faults = RoomTable.house.faults(in: file)
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("Sources/LatticeMesh/Planted.swift:2: ") == true)
    }

    @Test(arguments: [
        "import LatticeCore",
        "package import LatticeWire",
        "import struct LatticeCore.PeerID",
        "import DequeModule",
        "import Synchronization",
        "// import Foundation",
        "/* import Foundation\n import Glibc */",
        "let text = \"\"\"\n    import Foundation\n    \"\"\"",
    ])
    func anAllowedImportInTheMeshIsLeftAlone(text: String) {
        expectNone(RoomTable.house.faults(in: SourceFile(path: "Sources/LatticeMesh/Fine.swift", text: text)))
    }

    @Test(arguments: [
        ("LatticeSession", "CSodium"), ("LatticeNode", "CAvahi"), ("LatticeLink", "CDNSSD"), ("LatticeWire", "GRDB"),
        ("LatticeChat", "LatticeNode"), ("LatticeChat", "NIOCore"), ("LatticeNode", "ArgumentParser"),
        ("LatticeCrypto", "Logging"),
    ])
    func eachModuleStaysInItsRoom(room: String, module: String) {
        let file = SourceFile(path: "Sources/\(room)/Planted.swift", text: "import \(module)")
        #expect(RoomTable.house.faults(in: file).count == 1)
    }

    @Test func aFileOutsideTheTableIsFound() {
        let file = SourceFile(path: "Sources/LatticeMisc/Planted.swift", text: "")
        #expect(RoomTable.house.faults(in: file).count == 1)
    }

    @Test func aTableThatLooksUpIsFound() {
        let table = RoomTable(rooms: [
            Room("Low", level: 1, imports: ["High"]),
            Room("High", level: 2, imports: ["Nowhere"]),
            Room("High", level: 2),
        ])
        #expect(table.faultsOfTheTable().count == 4)
    }
}

/// One issue that lists every fault, since they are mended one after the other.
func expectNone(_ faults: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(faults.isEmpty, "\n\(faults.joined(separator: "\n"))", sourceLocation: sourceLocation)
}
