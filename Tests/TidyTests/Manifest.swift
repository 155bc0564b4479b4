import Foundation

/// `Package.swift` as SwiftPM reads it.
struct Manifest: Decodable {
    struct Product: Decodable {
        let name: String
        let targets: [String]
        /// `library` or `executable`.
        let kind: String

        init(name: String, targets: [String], kind: String) {
            (self.name, self.targets, self.kind) = (name, targets, kind)
        }

        private enum CodingKeys: CodingKey {
            case name, targets, type
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            targets = try values.decode([String].self, forKey: .targets)
            kind = try values.nestedContainer(keyedBy: AnyKey.self, forKey: .type).allKeys.first?.stringValue ?? ""
        }
    }

    struct Target: Decodable {
        let name: String
        let type: String
        var dependencies: [Dependency]
        let settings: [Setting]
    }

    /// What a target needs: another one, or a product of a package, perhaps under traits only.
    enum Dependency: Decodable {
        case target(String)
        case product(String, package: String, traits: [String])

        private struct Condition: Decodable {
            let traits: [String]?
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: AnyKey.self)
            guard let key = values.allKeys.first else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no kind"))
            }
            var words = try values.nestedUnkeyedContainer(forKey: key)
            let name = try words.decode(String.self)
            guard key.stringValue == "product" else {
                self = .target(name)
                return
            }
            let package = try words.decode(String.self)
            _ = try words.decodeNil()  // Other names of modules.
            let condition = try words.decodeIfPresent(Condition.self)
            self = .product(name, package: package, traits: condition?.traits ?? [])
        }
    }

    struct Setting: Decodable {
        /// `unsafeFlags`, `linkedLibrary`, …
        let kind: String

        init(kind: String) {
            self.kind = kind
        }

        private enum CodingKeys: CodingKey {
            case kind
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            kind = try values.nestedContainer(keyedBy: AnyKey.self, forKey: .kind).allKeys.first?.stringValue ?? ""
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    struct Trait: Decodable {
        let name: String
        let enabledTraits: [String]
    }

    let products: [Product]
    var traits: [Trait] = []
    var targets: [Target]

    // MARK: - Reading

    struct Unreadable: Error {
        let status: Int32
    }

    static func own() throws -> Manifest { try read.get() }

    /// Read once for all tests.
    private static let read = Result {
        // Of its own, because SwiftPM locks the folder in which it works.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "lattice-\(UUID().uuidString)").path
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", Checkout.root, "--scratch-path", scratch, "dump-package",
        ]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if FileManager.default.fileExists(atPath: scratch) { try FileManager.default.removeItem(atPath: scratch) }
        guard process.terminationStatus == 0 else { throw Unreadable(status: process.terminationStatus) }
        return try JSONDecoder().decode(Manifest.self, from: data)
    }

    // MARK: - Questions

    var libraries: [String] { products.filter { $0.kind == "library" }.map(\.name) }

    /// All that may be fetched for somebody who uses any product: SwiftPM leaves out the tests of a dependency, and nothing else.
    var builtByDependents: Set<String> { Set(targets.filter { $0.type != "test" }.map(\.name)) }

    /// The targets of which a product is made.
    func closure(of product: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = products.filter { $0.name == product }.flatMap(\.targets)
        while let name = waiting.popLast() {
            guard found.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else { continue }
            for case .target(let other) in target.dependencies { waiting.append(other) }
        }
        return found
    }

    func withUnsafeFlags(among names: Set<String>) -> [String] {
        targets.filter { names.contains($0.name) && $0.settings.contains { $0.kind == "unsafeFlags" } }.map(\.name)
    }

    /// Packages that one of these targets uses with no trait at all.
    func packagesWithoutTrait(of names: Set<String>) -> Set<String> {
        var packages: Set<String> = []
        for target in targets where names.contains(target.name) {
            for case .product(_, let package, let traits) in target.dependencies where traits.isEmpty {
                packages.insert(package)
            }
        }
        return packages
    }
}
