import Foundation
import Testing

extension EndToEnd {
    /// What a bridge gets over the control socket.
    @Suite(.timeLimit(.minutes(10))) struct CrossingTests {
        private struct Line: Decodable {
            struct Batch: Decodable {
                struct Entry: Decodable {
                    let bytes: Data
                }

                let records: [Entry]
                let live: Bool
            }

            let method: String?
            let params: Batch?
        }

        /// The signed records that a bridge gets that starts now.
        private func crossing(_ shell: PersonShell) throws -> [Data] {
            let socket = try UnixSocket("\(shell.home)/lattice/alice/control.sock")
            socket.send(##"{"id":1,"method":"records.subscribe","params":{"crossing":true}}"## + "\n")
            var records: [Data] = []
            while true {
                let text = socket.line()
                try #require(!text.isEmpty && !text.contains("\"error\""), "\(text)")
                let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
                guard line.method == "records", let batch = line.params else { continue }
                records += batch.records.map(\.bytes)
                if batch.live { return records }
            }
        }

        /// Its second byte is its kind.
        private func kinds(_ records: [Data]) -> Set<UInt8> { Set(records.map { $0[$0.startIndex + 1] }) }

        @Test func withoutAWordNothingCrosses() async throws {
            try await onStage { stage in
                let alice = PersonShell(stage, "alice")
                _ = try stage.run(
                    ["run", "--name", "alice", "--discovery", "off", "--room", "#park"], as: "alice", home: alice.home)
                try await eventually("alice can be asked") {
                    try await alice.all("stats", exitCode: nil).first?["event"] as? String == "node_stats"
                }
                _ = try await alice.one("say", "park", "in the park", "--wait", "0")
                _ = try await alice.one("say", "lobby", "in the lobby", "--wait", "0")
                _ = try await alice.one("post", "on the wall", "--at", "40.7128,-74.0060", "--wait", "0")
                func has(_ records: [Data], _ text: String) -> Bool {
                    records.contains { $0.range(of: Data(text.utf8)) != nil }
                }
                #expect(try crossing(alice).isEmpty)
                let none = try await alice.one("bridge")
                #expect(none["event"] as? String == "crossing" && none["allows"] as? Bool == false)
                _ = try await alice.one("bridge", "allow", "--wait", "0")
                let posts = try crossing(alice)
                #expect(has(posts, "on the wall") && !has(posts, "in the park") && !has(posts, "in the lobby"))
                let some = try await alice.one("bridge", "allow", "#park", "--wait", "0")
                #expect(some["allows"] as? Bool == true && some["rooms"] as? [String] == ["#park"])
                let all = try crossing(alice)
                #expect(has(all, "on the wall") && has(all, "in the park") && !has(all, "in the lobby"))
                #expect(!kinds(all).contains(2) && kinds(all).contains(20))
                _ = try await alice.one("bridge", "deny", "--wait", "0")
                #expect(kinds(try crossing(alice)) == [20], "the word itself crosses, and nothing else")
            }
        }
    }
}
