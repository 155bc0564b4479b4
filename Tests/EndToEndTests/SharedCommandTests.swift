import Foundation
import Testing

extension EndToEnd {
    /// Posts at places, from one process to the next and from one person to another.
    @Suite(.timeLimit(.minutes(10))) struct SharedCommandTests {
        private static let gate = ["--at", "40.7140,-74.0050"]

        /// Runs a command to its end; what it printed.
        private func lines(
            _ stage: Stage, _ arguments: [String], home: String, code: Int32 = 0
        ) async throws -> (output: [String], error: [String]) {
            let command = try stage.run(arguments, as: arguments.joined(separator: " "), home: home)
            try #require(try await command.exitCode() == code, "\(arguments): \(command.error.text)")
            return (command.output.lines, command.error.lines)
        }

        private func objects(_ lines: [String]) throws -> [[String: Any]] {
            try lines.map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
        }

        @Test func whatIsPostedIsFoundByTheNextProcess() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                _ = try await lines(stage, ["here", "40.7128,-74.0060"], home: home)
                let posted = try await lines(
                    stage, ["post", "Water at the gate, don't drink it", "--wait", "0"] + Self.gate, home: home)
                let short = try #require(posted.output.first?.split(separator: " ").dropFirst().first.map(String.init))
                _ = try await lines(stage, ["comment", short, "Is", "it", "cold?", "--wait", "0"], home: home)
                _ = try await lines(stage, ["like", short, "--wait", "0"], home: home)
                let near = try await lines(stage, ["near"], home: home).output
                #expect(near.count == 1)
                #expect(
                    near.first?.hasPrefix("1  158 m NNE, 2 min  you  now  Water at the gate, don't drink it  ") == true)
                #expect(near.first?.contains("(yours)") == true && near.first?.hasSuffix("  \(short)") == true)
                let far = try objects(try await lines(stage, ["near", "40.8,-74", "--json"], home: home).output)
                #expect(far.count == 1 && far[0]["state"] as? String == "too_far" && far[0]["text"] is NSNull)
                let shown = try await lines(stage, ["show", short], home: home).output
                #expect(shown.contains { $0.contains("  Is it cold?  ") })
                let map = try await lines(stage, ["near", "--map", "--ascii"], home: home).output
                #expect(map.contains { $0.contains("250 m") } && map.contains { $0.contains("@") })
            }
        }

        @Test func aRefusalNamesEveryFieldAndProgramsReadItAsAnObject() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                let refused = try await lines(stage, ["event", "create"], home: home, code: 2)
                #expect(refused.output == [] && refused.error.count == 3)
                #expect(refused.error.allSatisfy { $0.hasPrefix("lattice: ") })
                let object = try objects(
                    try await lines(stage, ["event", "create", "--json"], home: home, code: 2).output)
                let errors = try #require(object.first?["errors"] as? [[String: String]])
                #expect(Set(errors.compactMap { $0["field"] }) == ["name", "place", "starts"])
                let none = try await lines(stage, ["event", "near", "0,0", "--json"], home: home).output
                #expect(none == ["{\"event\":\"none\",\"message\":\"No events found\"}"])
            }
        }

        @Test func aDocumentIsWrittenWholeOrNotAtAll() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alone"
                _ = try await lines(stage, ["post", "hi", "--wait", "0"] + Self.gate, home: home)
                let path = "\(stage.folder)/around.geojson"
                let around = ["--near", "40.7140,-74.0050", "-o"]
                _ = try await lines(stage, ["export", "--geojson"] + around + [path], home: home)
                let document = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
                #expect(((document as? [String: Any])?["features"] as? [Any])?.count == 1)
                let nowhere = "\(stage.folder)/no/such/folder.gpx"
                let failed = try await lines(stage, ["export", "--gpx"] + around + [nowhere], home: home, code: 1)
                #expect(failed.error.count == 1 && failed.error[0].contains("use another file"))
            }
        }

        @Test func aPostIsHandedOverAndAnnouncedToWhoIsNear() async throws {
            try await onStage { stage in
                let bob = try stage.host("bob")
                let address = try await bob.address()
                bob.say("/here 40.7128,-74.0060")
                try await eventually("bob is somewhere", isTrue: { try heard("here", by: bob).count == 1 })
                let home = "\(stage.folder)/alice"
                let network = ["--name", "alice", "--discovery", "off", "--peer", address, "--wait", "60"]
                let posted = try await lines(stage, ["post", "Water at the gate"] + network + Self.gate, home: home)
                #expect(posted.error == [])
                try await eventually("bob is notified", isTrue: { try heard("posted", by: bob).count == 1 })
                let post = try #require(try heard("posted", by: bob).first)
                #expect(post["text"] as? String == "Water at the gate" && post["compass"] as? String == "NNE")
                bob.say("/near --radius 250m", "/near --radius 100m")
                try await eventually("bob reads it", isTrue: { try heard("item", by: bob).count == 2 })
                #expect(try heard("item", by: bob).map { $0["state"] as? String } == ["shown", "too_far"])
            }
        }

        private func heard(_ event: String, by peer: Peer) throws -> [[String: Any]] {
            try objects(peer.output.lines).filter { $0["event"] as? String == event }
        }
    }
}
