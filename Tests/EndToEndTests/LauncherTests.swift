import Foundation
import Testing

extension EndToEnd {
    /// `tools/lattice`, in a checkout that holds next to nothing, with a stand-in for the compiler.
    @Suite(.timeLimit(.minutes(5))) struct LauncherTests {
        /// A checkout with one source, and a `swift` that notes each build.
        private struct Checkout {
            let root: String
            let path: String

            init(in folder: String) throws {
                root = "\(folder)/checkout"
                path = "\(folder)/bin:/usr/bin:/bin"
                for name in ["\(root)/tools", "\(root)/Sources/lattice", "\(folder)/bin"] {
                    try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
                }
                for name in ["tools/lattice", "tools/build-options", "tools/build-progress"] {
                    try FileManager.default.copyItem(atPath: Program.root + name, toPath: "\(root)/\(name)")
                }
                try script("\(root)/tools/setup", "echo asked $* >>'\(root)/asked'")
                try script("\(root)/tools/page", "exit 0")
                try write("Package.swift", "// A package.")
                try write("Sources/lattice/One.swift", "// One.")
                for name in ["bench", "bridge"] {
                    try FileManager.default.createSymbolicLink(
                        atPath: "\(root)/tools/\(name)", withDestinationPath: "lattice")
                }
                try write("tools/lattice.ld", "a script of the linker")
                // As the real one it links nothing anew that is there and whose sources are what they were.
                try script(
                    "\(folder)/bin/swift",
                    """
                    if [ "$1" != build ]; then exit 0; fi
                    case "$*" in *"--traits Programs"*) traits=none ;; *) traits=TLS ;; esac
                    while [ "$1" != --product ]; do shift; done
                    name=$2
                    while [ "$1" != --scratch-path ]; do shift; done
                    program=$2/release/$name
                    if [ -e "$program" ]; then exit 0; fi
                    echo $traits >>'\(root)/built'
                    mkdir -p "$2/release"
                    printf '#!/bin/sh\\necho "%s: $*"\\n' "$name" >"$program"
                    chmod +x "$program"
                    """)
            }

            func write(_ name: String, _ text: String) throws {
                try Data(text.utf8).write(to: URL(filePath: "\(root)/\(name)"))
            }

            private func script(_ path: String, _ text: String) throws {
                let bytes = Data("#!/bin/sh\n\(text)\n".utf8)
                try #require(
                    FileManager.default.createFile(
                        atPath: path, contents: bytes, attributes: [.posixPermissions: 0o755]))
            }

            /// `TLS` or `none` for each build.
            var traits: [String] {
                let notes = FileManager.default.contents(atPath: "\(root)/built") ?? Data()
                return String(decoding: notes, as: UTF8.self).split(separator: "\n").map(String.init)
            }

            /// How often the compiler and `tools/setup` were asked.
            var counts: [Int] {
                ["built", "asked"].map { name in
                    let notes = FileManager.default.contents(atPath: "\(root)/\(name)") ?? Data()
                    return notes.count { $0 == UInt8(ascii: "\n") }
                }
            }
        }

        private func launch(
            _ checkout: Checkout, as name: String = "lattice", _ words: [String] = ["say", "a word"],
            product: String = "lattice", order: String? = nil, tls: String? = nil, on stage: Stage
        ) async throws {
            var variables = ["PATH=\(checkout.path)"]
            if let order { variables.append("LATTICE_ORDER=\(checkout.root)/\(order)") }
            if let tls { variables.append("LATTICE_TLS=\(tls)") }
            let peer = try stage.run(
                words, home: "\(stage.folder)/home",
                under: ["/usr/bin/env"] + variables + ["\(checkout.root)/tools/\(name)"], isProgram: false)
            peer.endInput()
            _ = try await peer.exitCode()
            try #require(peer.child.exitCode == 0, "\(peer.transcript)")
            #expect(peer.output.text == "\(product): \(words.joined(separator: " "))\n")
        }

        @Test func aProgramThatIsUpToDateIsStartedAndNothingElseIsAsked() async throws {
            try await onStage { stage in
                let checkout = try Checkout(in: stage.folder)
                for _ in 0..<3 { try await launch(checkout, on: stage) }
                #expect(checkout.counts == [1, 1])
            }
        }

        @Test func eachProgramIsBuiltByTheSameScriptAndNoneBuildsAnother() async throws {
            try await onStage { stage in
                let checkout = try Checkout(in: stage.folder)
                for _ in 0..<2 {
                    try await launch(checkout, on: stage)
                    try await launch(checkout, as: "bench", product: "lattice-bench", on: stage)
                    try await launch(checkout, as: "bridge", product: "lattice-bridge", on: stage)
                }
                #expect(checkout.counts == [3, 3])
                let asked = try String(contentsOfFile: "\(checkout.root)/asked", encoding: .utf8)
                #expect(asked == "asked\nasked --bridge\nasked --bridge\n")
            }
        }

        @Test func anOrderedProgramIsBuiltBesideTheOther() async throws {
            try await onStage { stage in
                let checkout = try Checkout(in: stage.folder)
                try await launch(checkout, on: stage)
                try checkout.write(".build/lattice.order", "an order")
                for _ in 0..<2 { try await launch(checkout, order: ".build/lattice.order", on: stage) }
                #expect(checkout.counts == [2, 2])
                try checkout.write(".build/lattice.order", "another order")
                try await launch(checkout, order: ".build/lattice.order", on: stage)
                #expect(checkout.counts == [3, 3])
                try await launch(checkout, on: stage)
                #expect(checkout.counts == [3, 3])
            }
        }

        @Test func tlsIsBuiltOnceItIsAskedFor() async throws {
            try await onStage { stage in
                let checkout = try Checkout(in: stage.folder)
                let plain = ["irc", "--listen", "127.0.0.1:0"]
                try await launch(checkout, plain, on: stage)
                #expect(checkout.traits == ["none"])
                try await launch(checkout, plain + ["--tls-certificate", "c.pem"], on: stage)
                try await launch(checkout, plain, on: stage)
                #expect(checkout.traits == ["none", "TLS"])
                try await launch(checkout, plain, tls: "0", on: stage)
                #expect(checkout.traits == ["none", "TLS", "none"])
                for tls in ["1", "1", nil] { try await launch(checkout, plain, tls: tls, on: stage) }
                #expect(checkout.traits == ["none", "TLS", "none", "TLS"])
            }
        }

        @Test func aSourceThatIsChangedAddedRenamedOrDeletedIsBuilt() async throws {
            try await onStage { stage in
                let checkout = try Checkout(in: stage.folder)
                try await launch(checkout, on: stage)
                let changes: [() throws -> Void] = [
                    { try checkout.write("Sources/lattice/One.swift", "// Two.") },
                    { try checkout.write("Sources/lattice/Two.swift", "// One.") },
                    {
                        try FileManager.default.moveItem(
                            atPath: "\(checkout.root)/Sources/lattice/Two.swift",
                            toPath: "\(checkout.root)/Sources/lattice/Three.swift")
                    },
                    { try FileManager.default.removeItem(atPath: "\(checkout.root)/Sources/lattice/Three.swift") },
                    { try checkout.write("Package.swift", "// Another package.") },
                    { try FileManager.default.removeItem(atPath: "\(checkout.root)/.build/run/release/lattice") },
                ]
                for (number, change) in changes.enumerated() {
                    try change()
                    try await launch(checkout, on: stage)
                    #expect(checkout.counts == [number + 2, number + 2], "change \(number)")
                    try await launch(checkout, on: stage)
                    #expect(checkout.counts == [number + 2, number + 2], "after change \(number)")
                }
            }
        }
    }
}
