import Foundation
import Testing

extension EndToEnd {
    /// Base maps that people keep and share.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Lab.has("python3"), "this needs python3"))
    struct MapTests {
        /// A map of one tile.
        private func map(_ name: String, on stage: Stage) async throws -> String {
            let path = "\(stage.folder)/\(name)"
            let script = """
                import sqlite3, sys
                with sqlite3.connect(sys.argv[2]) as file:
                    file.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
                    file.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
                    file.executemany("INSERT INTO metadata VALUES (?, ?)", [("name", "Birch Lake"), ("bounds", "-74.02,40.70,-73.98,40.73")])
                    file.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", (b"tile",))
                """
            let made = try stage.run([path], as: "alice", under: ["python3", "-c", script])
            #expect(try await made.exitCode() == 0)
            return path
        }

        @Test func aMapOfOnePersonServesAll() async throws {
            try await onStage { stage in
                let path = try await map("camp.mbtiles", on: stage)
                let alice = try await stage.node("alice", ["--discovery", "off"])
                let address = try alice.listening()
                _ = try await stage.node("bob", ["--discovery", "off", "--peer", address])
                let none = try await stage.ask("bob", "map")
                #expect(none.output.text.isEmpty && none.error.text.contains("lattice map add FILE.mbtiles --share"))
                let added = try await stage.ask("alice", "map", "add", path, "--share")
                #expect(added.output.text.contains("3.4 km × 3.3 km around 40.7150, -74.0000"))
                #expect(added.output.text.contains("shared camp.mbtiles ("))
                try await eventually("bob hears of the map") {
                    try await stage.ask("bob", "map").output.text.contains("by alice")
                }
                let got = try await stage.ask("bob", "map", "get", "camp.mbtiles")
                #expect(got.output.text.hasSuffix("is kept\n"))
                let kept = try await stage.ask("bob", "map", "list", "--json")
                #expect(kept.output.text.contains(#""bounds":[-74.02,40.7,-73.98,40.73],"minzoom":0,"maxzoom":0"#))
                #expect(!kept.output.text.contains(#""event":"file""#))
                let removed = try await stage.ask("bob", "map", "remove", "camp")
                #expect(removed.output.text.hasPrefix("removed camp.mbtiles ("))
                #expect(try await stage.ask("bob", "map").output.text.contains("by alice"))
            }
        }

        @Test func whatIsNoMapIsRefused() async throws {
            try await onStage { stage in
                _ = try await stage.node("alice", ["--discovery", "off"])
                let note = "\(stage.folder)/note.mbtiles"
                try Data("no map".utf8).write(to: URL(filePath: note))
                let refused = try await stage.ask("alice", "map", "add", note, code: 1)
                #expect(
                    refused.error.text.contains(
                        "cannot read \(note): it cannot be read as MBTiles: file is not a database\n"))
                let absent = try await stage.ask("alice", "map", "add", "\(stage.folder)/absent.mbtiles", code: 1)
                #expect(absent.error.text.contains("No such file or directory"))
                let device = try await stage.ask("alice", "map", "add", "/dev/zero", code: 1)
                #expect(device.error.text.contains("give the path of a regular file"))
                _ = try await stage.ask("alice", "file", "share", "/etc/hostname")
                let other = try await stage.ask("alice", "map", "get", "hostname", code: 1)
                #expect(other.error.text.contains("there is no map 'hostname'; 'map list' shows them"))
                let unknown = try await stage.ask("alice", "map", "remove", "camp", code: 1)
                #expect(unknown.error.text.contains("there is no map 'camp'"))
                _ = try await stage.ask("alice", "map", "add", note, "--room", "#lobby", code: 2)
                #expect(try await stage.ask("alice", "map").output.text.isEmpty)
            }
        }
    }
}
