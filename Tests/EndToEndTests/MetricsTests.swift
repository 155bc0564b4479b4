import Foundation
import FoundationNetworking
import Glibc
import Testing

extension EndToEnd {
    /// `--metrics`, as Prometheus uses it, and `lattice stats`, as a person does.
    @Suite(.timeLimit(.minutes(10))) struct MetricsTests {
        /// A line of the text format that is no comment.
        private struct Sample {
            let name: String
            let labels: String
            let value: Double

            /// `nil` for what is no line of it.
            init?(_ line: String) {
                let form = /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)+)\})? (\S+)/
                guard let match = line.wholeMatch(of: form), let value = Double(match.3) else { return nil }
                (name, labels) = (String(match.1), match.2.map(String.init) ?? "")
                self.value = value
            }
        }

        /// Fetches and reads every line.
        private func samples(_ address: String) async throws -> [String: Double] {
            let url = try #require(URL(string: address))
            let (data, response) = try await URLSession.shared.data(for: URLRequest(url: url))
            let answer = try #require(response as? HTTPURLResponse)
            try #require(answer.statusCode == 200)
            #expect(
                answer.value(forHTTPHeaderField: "Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            var samples: [String: Double] = [:]
            var types: [String: String] = [:]
            let text = String(decoding: data, as: UTF8.self)
            #expect(text.hasSuffix("\n"))
            for line in text.split(separator: "\n") {
                if line.hasPrefix("# ") {
                    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
                    try #require(words.count == 4 && ["HELP", "TYPE"].contains(words[1]), "\(line)")
                    if words[1] == "TYPE" { types[words[2]] = words[3] }
                    continue
                }
                let sample = try #require(Sample(String(line)), "\(line)")
                let family = ["_bucket", "_sum", "_count"].first(where: sample.name.hasSuffix).map {
                    String(sample.name.dropLast($0.count))
                }
                let type = types[sample.name] ?? family.flatMap { types[$0] }
                try #require(type != nil, "\(line)")
                #expect(type != "counter" || sample.name.hasSuffix("_total"), "\(line)")
                let key = sample.labels.isEmpty ? sample.name : "\(sample.name){\(sample.labels)}"
                #expect(samples.updateValue(sample.value, forKey: key) == nil, "twice: \(line)")
            }
            return samples
        }

        private func address(_ peer: Peer) async throws -> String {
            try await eventually("it says where its metrics are") {
                if let code = peer.child.exitCode {
                    throw NeverHappened(what: "ended with \(code): \(peer.error.text)")
                }
                return peer.error.text.firstMatch(of: /metrics at (http:\S+\/metrics)\n/).map { String($0.1) }
            }
        }

        private func run(_ stage: Stage, _ arguments: [String] = [], home: String) throws -> Peer {
            try stage.run(
                ["run", "--name", "alice", "--discovery", "off", "--log", "info"] + arguments, as: "alice", home: home)
        }

        @Test func whatIsSaidIsCounted() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let node = try run(stage, ["--metrics", "127.0.0.1:0"], home: home)
                let address = try await address(node)
                let before = try await samples(address)
                #expect(before["lattice_links"] == 0)
                #expect(before["lattice_records_total{kind=\"chat\",way=\"heard\"}"] == 0)
                let port = try #require(node.error.text.firstMatch(of: /\bport=([0-9]+)/)).1
                let bob = try stage.host("bob", ["--peer", "127.0.0.1:\(port)"])
                try await bob.event("alice is there") { $0.event == "peer" && $0.state == "connected" }
                bob.say("one", "two", "three")
                try await eventually("they are counted") {
                    try await samples(address)["lattice_records_total{kind=\"chat\",way=\"heard\"}"] == 3
                }
                let after = try await samples(address)
                #expect(after["lattice_links"] == 1)
                #expect(after["lattice_connections{direction=\"in\"}"] == 1)
                #expect((after["lattice_frames_received_total{type=\"record\"}"] ?? 0) >= 3)
                #expect(after["lattice_refused_total{reason=\"faults\"}"] == 0)
                #expect((after["process_resident_memory_bytes"] ?? 0) > 1_000_000)
                #expect((after["process_open_fds"] ?? 0) > 3)
                #expect((after["process_start_time_seconds"] ?? 0) > Date().timeIntervalSince1970 - 600)
                #expect(after.contains { $0.key.hasPrefix("lattice_build_info{") && $0.value == 1 })
                #expect(after["lattice_queue_depth{queue=\"keep\"}"] != nil)
                #expect(after["lattice_queue_age_seconds{queue=\"keep\"}"] != nil)
                try await eventually("the loop is looked at, and the lines are kept") {
                    let now = try await samples(address)
                    return (now["lattice_event_loop_lag_seconds_count"] ?? 0) > 0
                        && now["lattice_store_records{kind=\"chat\"}"] == 3
                }
                // Nothing in it is of anybody's making.
                #expect(Set(after.keys) == Set(before.keys))
                node.child.send(SIGTERM)
                #expect(try await node.exitCode() == 0)
            }
        }

        /// A chat that talks through what runs tells of that.
        @Test func aChatTellsToo() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let first = try stage.start(
                    "alice", ["--discovery", "off", "--metrics", "127.0.0.1:0"], home: home)
                _ = try await first.ready()
                let second = try stage.start(
                    "alice", ["--discovery", "off", "--metrics", "127.0.0.1:0"], home: home)
                _ = try await second.ready()
                first.say("here I am")
                for chat in [first, second] {
                    let address = try await address(chat)
                    try await eventually("it is counted") {
                        try await samples(address)["lattice_records_total{kind=\"chat\",way=\"said\"}"] == 1
                    }
                }
            }
        }

        @Test func aPortThatIsTakenEndsItAndIsNamed() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let node = try run(stage, ["--metrics", "127.0.0.1:0"], home: home)
                let port = try #require(try await address(node).firstMatch(of: /:([0-9]+)\//)).1
                let other = try stage.run(
                    ["run", "--name", "bob", "--discovery", "off", "--metrics", "127.0.0.1:\(port)"], as: "bob")
                #expect(try await other.exitCode() == 1)
                let told = other.error.lines.last ?? ""
                #expect(told.hasPrefix("lattice: --metrics: 127.0.0.1:\(port) is in use"), "\(other.error.text)")
                let folder = "\(stage.folder)/config.json"
                try #"{"metrics": "127.0.0.1:\#(port)"}"#.write(toFile: folder, atomically: true, encoding: .utf8)
                let settled = try stage.run(
                    ["run", "--name", "eve", "--discovery", "off", "--config", folder], as: "eve")
                #expect(try await settled.exitCode() == 1)
                #expect(settled.error.text.contains("metrics in \(folder) line 1: 127.0.0.1:\(port) is in use"))
            }
        }

        // MARK: - To people

        /// The numbers of a family, by its labels in their order.
        private func numbers(_ metrics: [String: Any]) -> [String: Double] {
            var numbers: [String: Double] = [:]
            for (name, value) in metrics {
                if let number = value as? Double { numbers[name] = number }
                for series in value as? [[String: Any]] ?? [] {
                    let labels = series.compactMap { key, value in (value as? String).map { "\(key)=\"\($0)\"" } }
                    numbers["\(name){\(labels.sorted().joined(separator: ","))}"] = series["value"] as? Double
                }
            }
            return numbers
        }

        @Test func statsAndMetricsAgree() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let node = try run(stage, ["--metrics", "127.0.0.1:0"], home: home)
                let address = try await address(node)
                let say = try stage.run(["say", "lobby", "hello", "--name", "alice", "--wait", "0"], home: home)
                #expect(try await say.exitCode() == 0)
                let told = try await samples(address)
                let object = try await PersonShell(stage, "alice", home: home).one("stats")
                let metrics = try #require(object["metrics"] as? [String: Any])
                let shown = numbers(metrics)
                #expect(shown["lattice_records_total{kind=\"chat\",way=\"said\"}"] == 1)
                // Whatever a look itself changes aside.
                let same = told.filter { name, _ in
                    !["process_", "lattice_event_loop", "lattice_store_file", "lattice_build"].contains(
                        where: name.hasPrefix)
                }
                #expect(same.count > 100)
                for (name, value) in same { #expect(shown[name] == value, "\(name)") }
                let plain = try stage.run(["stats", "--name", "alice"], home: home)
                #expect(try await plain.exitCode() == 0)
                #expect(plain.output.lines.contains { $0.hasPrefix("links: 0; ") })
                #expect(plain.output.lines.contains { $0.hasPrefix("  chat ") })
                #expect(plain.output.lines.contains { $0.hasPrefix("process: ") })
            }
        }

        @Test func whoeverWatchesSeesItAgainAndAgain() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let nobody = try stage.run(["stats", "--watch", "--name", "alice"], home: home)
                #expect(try await nobody.exitCode() == 69)
                #expect(nobody.error.text.contains("no lattice is running as"))
                let node = try run(stage, home: home)
                try await eventually("it runs") { node.error.text.contains("port=") }
                let options = ["stats", "--watch", "--interval", "1", "--name", "alice"]
                let plain = try stage.run(options, as: "plain", home: home)
                let json = try stage.run(options + ["--json"], as: "json", home: home)
                try await eventually("both look twice") {
                    plain.output.lines.filter { $0.hasPrefix("links: ") }.count >= 2
                        && json.output.lines.filter { $0.contains("node_stats") }.count >= 2
                }
                #expect(plain.output.lines.contains(""), "a blank line between two looks")
                #expect(!plain.output.text.contains("\u{1B}"))
                plain.child.send(SIGINT)
                #expect(try await plain.exitCode() == 0)
                node.child.send(SIGTERM)
                #expect(try await json.exitCode() == 69)
                #expect(json.output.lines.last?.contains("\"event\":\"error\"") == true)
                #expect(try await node.exitCode() == 0)
            }
        }

        @Test func theTerminalIsGivenBack() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let node = try run(stage, home: home)
                try await eventually("it runs") { node.error.text.contains("port=") }
                let screen = try stage.terminal(
                    running: [
                        "/usr/bin/env", "HOME=\(home)", "XDG_DATA_HOME=\(home)", Program.path, "stats", "--watch",
                        "--interval", "1", "--name", "alice",
                    ])
                try await screen.shows("in lattice")
                try await screen.shows("links: 0; ")
                try await eventually("it is written over") {
                    screen.raw.components(separatedBy: "\u{1B}[H").count > 2
                }
                #expect(screen.lines.filter { $0.hasPrefix("links: ") }.count == 1)
                screen.type("\u{3}")
                #expect(try await screen.exitCode() == 0)
                try await eventually("the screen is as it was") { screen.raw.hasSuffix("\u{1B}[?25h\u{1B}[?1049l") }
                #expect(try screen.mode() == screen.before)
                #expect(screen.raw.hasPrefix("\u{1B}[?1049h\u{1B}[?25l"))
            }
        }

        // MARK: - To programs that read logs

        @Test func aLogForProgramsIsAnObjectALine() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let node = try run(
                    stage, ["--metrics", "127.0.0.1:0", "--log-format", "json", "--http", "127.0.0.1:0"], home: home)
                try await eventually("it runs") { node.error.text.contains("http-token") }
                node.child.send(SIGTERM)
                #expect(try await node.exitCode() == 0)
                let lines = try node.error.lines.map { line in
                    try #require(
                        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
                }
                for line in lines {
                    #expect(Set(line.keys) == ["ts", "level", "label", "message", "metadata"])
                    #expect(line["label"] as? String == "lattice")
                    #expect((line["ts"] as? String)?.hasSuffix("Z") == true)
                }
                let running = try #require(lines.first { $0["message"] as? String == "running" })
                #expect((running["metadata"] as? [String: Any])?["mesh"] as? String == "lattice")
                let messages = lines.compactMap { $0["message"] as? String }
                #expect(messages.contains { $0.hasPrefix("metrics at http://127.0.0.1:") })
                // What ends it, too.
                let wrong = try run(stage, ["--log-format", "json", "--http", "192.0.2.1:1"], home: home)
                #expect(try await wrong.exitCode() == 1)
                #expect(wrong.error.lines.last?.contains(#""level":"critical""#) == true, "\(wrong.error.text)")
            }
        }
    }
}
