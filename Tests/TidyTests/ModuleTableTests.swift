import Testing

@Suite struct ModuleTableTests {
    @Test func everyFolderOfSourcesIsAModule() throws {
        let modules = try Checkout.names(in: "Sources")
        #expect(modules.contains("LatticeCore"), "the checkout was not found at \(Checkout.root)")
        for name in modules {
            #expect(ModuleTable.lattice.module(name) != nil, "Sources/\(name) has no row in the table of modules")
        }
    }

    @Test func everyRowLooksDown() {
        expectNone(ModuleTable.lattice.faultsOfTheTable())
    }

    @Test func noModuleImportsMoreThanItsRowAllows() throws {
        expectNone(try Checkout.sourceFiles().flatMap(ModuleTable.lattice.faults(in:)))
    }

    @Test func aCModuleHoldsAModuleMapAndAHeaderAndNoLogic() throws {
        // But for the one that is measured against, the one whose libraries leave by longjmp, those that are all data, and
        // the one that is all for the linker.
        let others = ["CAvahiHidden", "CBaseline", "CGuide", "CPage", "CPicture", "CVersion"]
        for module in ModuleTable.lattice.modules where module.level == 0 && !others.contains(module.name) {
            #expect(try Checkout.names(in: "Sources/\(module.name)") == ["module.modulemap", "shim.h"])
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
        let faults = ModuleTable.lattice.faults(in: file)
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
        expectNone(ModuleTable.lattice.faults(in: SourceFile(path: "Sources/LatticeMesh/Fine.swift", text: text)))
    }

    @Test(arguments: [
        ("LatticeSession", "CSodium"), ("LatticeNode", "CAvahi"), ("LatticeLink", "CDNSSD"), ("LatticeWire", "GRDB"),
        ("LatticeChat", "LatticeNode"), ("LatticeChat", "NIOCore"), ("LatticeNode", "ArgumentParser"),
        ("LatticeCrypto", "Logging"),
    ])
    func noModuleImportsWhatItsRowDoesNotName(module: String, imported: String) {
        let file = SourceFile(path: "Sources/\(module)/Planted.swift", text: "import \(imported)")
        #expect(ModuleTable.lattice.faults(in: file).count == 1)
    }

    @Test func aFileOutsideTheTableIsFound() {
        let file = SourceFile(path: "Sources/LatticeMisc/Planted.swift", text: "")
        #expect(ModuleTable.lattice.faults(in: file).count == 1)
    }

    @Test func aTableThatLooksUpIsFound() {
        let table = ModuleTable(modules: [
            Module("Low", level: 1, imports: ["High"]),
            Module("High", level: 2, imports: ["Nowhere"]),
            Module("High", level: 2),
        ])
        #expect(table.faultsOfTheTable().count == 4)
    }
}

/// One issue that lists every fault, since they are mended one after the other.
func expectNone(_ faults: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(faults.isEmpty, "\n\(faults.joined(separator: "\n"))", sourceLocation: sourceLocation)
}
