import Foundation
import Testing

/// What an app gets that depends on the product `Lattice` and leaves out all traits.
@Suite struct LibraryGraphTests {
    /// What the library is made of. Each package more is one more in every app.
    private static let packages: Set<String> = [
        "GRDB.swift", "swift-collections", "swift-log", "swift-metrics", "swift-nio",
    ]

    @Test func theLibraryIsLinkedWithoutUnsafeFlags() throws {
        let manifest = try Manifest.own()
        let library = manifest.closure(of: "Lattice")
        #expect(library.contains("LatticeNode"), "the graph was read: \(library)")
        #expect(manifest.withUnsafeFlags(among: library) == [])
    }

    @Test func everyOtherPackageIsUsedUnderATraitAlone() throws {
        let manifest = try Manifest.own()
        #expect(manifest.packagesWithoutTrait(of: manifest.builtByDependents) == Self.packages)
        // An app's dependency may be needed for the library alone, too.
        #expect(manifest.packagesWithoutTrait(of: manifest.closure(of: "Lattice")).isSubset(of: Self.packages))
    }

    /// SwiftPM hands traits to the compiler in an order of chance: with two of them, all modules would be compiled anew every other
    /// time that it plans a build.
    @Test func oneTraitIsOnByDefault() throws {
        let traits = try Manifest.own().traits
        let defaults = try #require(traits.first { $0.name == "default" }).enabledTraits
        #expect(defaults.count == 1)
        for name in defaults { #expect(traits.first { $0.name == name }?.enabledTraits == []) }
    }

    // MARK: the check is checked

    private static let planted = Manifest(
        products: [Manifest.Product(name: "Lattice", targets: ["Top"], kind: "library")],
        targets: [
            Manifest.Target(
                name: "Top", type: "regular", dependencies: [.target("Middle")], settings: []),
            Manifest.Target(
                name: "Middle", type: "regular",
                dependencies: [.target("C"), .product("Log", package: "swift-log", traits: [])],
                settings: []),
            Manifest.Target(
                name: "C", type: "regular", dependencies: [], settings: [Manifest.Setting(kind: "unsafeFlags")]),
            Manifest.Target(
                name: "Program", type: "executable",
                dependencies: [.product("Arguments", package: "swift-argument-parser", traits: ["Programs"])],
                settings: [Manifest.Setting(kind: "unsafeFlags")]),
            Manifest.Target(
                name: "Tests", type: "test", dependencies: [.product("Kit", package: "swift-kit", traits: [])],
                settings: []),
        ])

    @Test func flagsOfAModuleBelowAreFound() {
        let library = Self.planted.closure(of: "Lattice")
        #expect(library == ["Top", "Middle", "C"])
        #expect(Self.planted.withUnsafeFlags(among: library) == ["C"])
    }

    @Test func aPackageWithoutATraitIsFound() {
        #expect(Self.planted.packagesWithoutTrait(of: Self.planted.builtByDependents) == ["swift-log"])
        var manifest = Self.planted
        manifest.targets[3].dependencies.append(.product("More", package: "swift-argument-parser", traits: []))
        #expect(
            manifest.packagesWithoutTrait(of: manifest.builtByDependents) == ["swift-log", "swift-argument-parser"])
    }
}
