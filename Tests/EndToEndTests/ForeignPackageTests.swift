import Foundation
import Testing

extension EndToEnd {
    /// A package of somebody else that depends on the library by URL and version.
    @Suite(.timeLimit(.minutes(10))) struct ForeignPackageTests {
        private struct Node: Decodable {
            let identity: String
            let dependencies: [Node]

            var all: Set<String> { dependencies.reduce([identity]) { $0.union($1.all) } }
        }

        @discardableResult
        private func end(_ stage: Stage, _ command: [String]) async throws -> String {
            // What SwiftPM has fetched once lies in the home of who runs the tests.
            let home = ProcessInfo.processInfo.environment["HOME"] ?? "/root"
            let peer = try stage.run(command, under: ["/usr/bin/env", "HOME=\(home)"], isProgram: false)
            peer.endInput()
            try #require(try await peer.exitCode() == 0, "\(peer.transcript)")
            return peer.output.text
        }

        /// A repository with what SwiftPM looks at, as version 1.0.0.
        private func publish(on stage: Stage) async throws -> String {
            let tree = "\(stage.folder)/lattice"
            try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
            let script = """
                cd "$1"
                cp -r --parents Package.swift Sources Tests/CAllocations Tests/TestPictures tools/examples/*/Sources "$2"
                cd "$2"
                git init -q .
                git add -A
                git -c user.name=ada -c user.email=ada@example.org commit -q -m 'a version'
                git tag 1.0.0
                git clone -q --bare . ../lattice.git
                """
            try await end(stage, ["sh", "-ec", script, "publish", Program.root, tree])
            return "file://\(stage.folder)/lattice.git"
        }

        @Test func anAppFetchesWhatTheLibraryNeedsAndNothingElse() async throws {
            try await onStage { stage in
                let (app, url) = ("\(stage.folder)/app", try await publish(on: stage))
                try FileManager.default.createDirectory(atPath: "\(app)/Sources/app", withIntermediateDirectories: true)
                let manifest = """
                    // swift-tools-version: 6.2
                    import PackageDescription

                    let package = Package(
                        name: "app",
                        dependencies: [.package(url: "\(url)", from: "1.0.0", traits: [])],
                        targets: [
                            .executableTarget(name: "app", dependencies: [.product(name: "Lattice", package: "lattice")])
                        ]
                    )

                    """
                try manifest.write(toFile: "\(app)/Package.swift", atomically: true, encoding: .utf8)
                try "import Lattice\n".write(toFile: "\(app)/Sources/app/main.swift", atomically: true, encoding: .utf8)
                let answer = try await end(
                    stage,
                    [
                        "swift", "package", "--package-path", app, "--skip-update", "show-dependencies", "--format",
                        "json",
                    ])
                let tree = try JSONDecoder().decode(Node.self, from: Data(answer.utf8))
                let packages: Set = [
                    "grdb.swift", "swift-atomics", "swift-collections", "swift-log", "swift-metrics", "swift-nio",
                    "swift-system",
                ]
                #expect(tree.all == packages.union(["app", "lattice"]))
                let pins = try String(contentsOfFile: "\(app)/Package.resolved", encoding: .utf8)
                for package in ["swift-argument-parser", "swift-nio-ssl"] { #expect(!pins.contains(package)) }
            }
        }
    }
}
