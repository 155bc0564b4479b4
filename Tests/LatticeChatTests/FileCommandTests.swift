import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// `/send`, `/get`, `/open` and `/files`.
@Suite(.timeLimit(.minutes(10))) struct FileCommandTests {
    private static let file = Samples.record("map.pdf")

    /// Says which commands it was asked to run.
    private struct Echo: ChatExtension {
        var words: [String] { ["file"] }
        var usage: [(call: String, summary: String)] { [] }
        func help(_ topic: String) -> [String] { [] }

        func run(
            _ word: String, _ rest: String, on node: any MeshNode, progress: @escaping CommandProgress
        ) async -> CommandOutput {
            CommandOutput(["\(word) \(rest)"])
        }
    }

    /// Bob's line has the number 1, and shares a file; carol's has the number 2.
    private func shown(typing lines: [String], hasFile: Bool = true) async throws -> [String] {
        let rig = try ChatRig(slash: Echo()) { request throws(RequestError) in try await FakeNode.obliging(request) }
        var line = try Samples.message("shares the file map.pdf")
        if hasFile { line.file = Self.file }
        rig.tell(.message(line), .message(try Samples.message("thanks", from: 3, name: "carol")))
        async let end = rig.run()
        try await rig.until("the lines") { rig.screen.output.count == 2 }
        rig.screen.put(lines.map { .line($0) } + [.interrupt])
        #expect(await end == .done)
        return rig.screen.shown.dropFirst(2).flatMap { $0.error + $0.output }
    }

    @Test func shortFormsAreFileCommands() async throws {
        let expected = [
            "/send map.pdf": "file share --room #lobby map.pdf",
            "/send --room #park map.pdf": "file share --room #park map.pdf",
            "/send bob map.pdf": "file send bob map.pdf",
            "/send \"bob b\" my map.pdf": "file send \"bob b\" my map.pdf",
            // Nobody gets a file because they are called like one.
            "/send map.pdf plan.pdf": "file share --room #lobby map.pdf plan.pdf",
            "/send ~/map plan.pdf": "file share --room #lobby ~/map plan.pdf",
            "/send \"my map.pdf\"": "file share --room #lobby \"my map.pdf\"",
            "/files": "file list",
            "/get": "file get \(Self.file.hex)",
            "/get --output /tmp": "file get \(Self.file.hex) --output /tmp",
            "/get 1": "file get \(Self.file.hex)",
            "/get 1 -o /tmp/my  maps": "file get \(Self.file.hex) -o /tmp/my  maps",
            "/open": "file open \(Self.file.hex)",
            "/open 1": "file open \(Self.file.hex)",
            "/open map.pdf": "file open map.pdf",
            "/file get 1": "file get \(Self.file.hex)",
            "/get map.pdf": "file get map.pdf",
        ]
        for (typed, command) in expected {
            #expect(try await shown(typing: [typed]).first == command, "\(typed)")
        }
    }

    @Test func aLineWithoutAFileIsNoFile() async throws {
        let expected = [
            ("/send", true, "/send needs more. Type /send [NAME] PATH…."),
            ("/get 2", true, "Line 2 has no file; /files lists all."),
            ("/get 7", true, "No line here has the number 7; /lines shows the numbers."),
            ("/get", false, "No file was shared here since you came; /files lists all."),
        ]
        for (typed, hasFile, words) in expected {
            let shown = try await shown(typing: [typed], hasFile: hasFile)
            #expect(shown.first?.hasSuffix(words) == true, "\(shown)")
        }
    }
}
