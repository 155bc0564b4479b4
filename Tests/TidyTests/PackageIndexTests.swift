import Testing

/// What the Swift Package Index reads.
@Suite struct PackageIndexTests {
    @Test func theTargetsThatAreDocumentedExist() throws {
        let lines = try Checkout.text(of: ".spi.yml").split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        #expect(lines.first == "version: 1")
        let key = "documentation_targets: ["
        let list = try #require(lines.first { $0.hasPrefix(key) && $0.hasSuffix("]") })
        let targets = list.dropFirst(key.count).dropLast().split(separator: ",").map { $0.trimmingPrefix(" ") }
        #expect(targets.contains("Lattice"))
        let products = try Manifest.own().libraries
        for target in targets { #expect(products.contains(String(target)), "\(target) is no library product") }
    }
}
