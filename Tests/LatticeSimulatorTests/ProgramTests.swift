import Foundation
import Testing

/// `lattice-sim` as a person runs it.
@Suite(.serialized) struct ProgramTests {
    @Test(arguments: [
        ["run", "--peers", "20", "--records", "3", "--seed", "7", "--json", "--no-wall-time"],
        ["run", "--peers", "20", "--records", "12", "--fail", "0.3", "--loss", "0.05", "--no-wall-time"],
        ["replay", "11", "--trace"],
        ["sweep", "--seeds", "2"],
        ["sweep", "--stores", "--seeds", "1"],
        ["replay", "11", "--stores", "--trace"],
        ["sweep", "--blobs", "--seeds", "3"],
        ["replay", "1", "--blobs", "--trace"],
        ["meet", "--peers", "3", "--common", "50", "--seeds", "2"],
        ["urgent", "--peers", "20", "--rate", "4", "--ratio-max", "9"],
    ])
    func twoProcessesWithOneSeedPrintTheSameBytes(arguments: [String]) throws {
        let (first, second) = (try run(arguments), try run(arguments))
        #expect(first.code == 0, "\(arguments): \(first.error)")
        #expect(first.output == second.output)
        #expect(first.output.count > 20)
    }

    @Test func theFiguresAreOneObjectWithTheirKeys() throws {
        let result = try run(["run", "--peers", "20", "--records", "4", "--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
        let keys = [
            "reliability", "rmr", "ldh", "deliver_ms_p50", "deliver_ms_p99", "deliver_ms_max", "last_delivery_ms",
            "frames", "bytes", "links_mean", "isolated", "wall_s", "first", "second_half", "after_fail",
            "frames_by_type", "bytes_by_type",
        ]
        for key in keys { #expect(object[key] != nil, "\(key)") }
        #expect(object["reliability"] as? Double == 1)
    }

    @Test(arguments: [
        (["run", "--peers", "1"], "2 to 100000"),
        (["run", "--latency", "soon"], "FIRST..LAST"),
        (["run", "--latency", "50..10"], "FIRST..LAST"),
        (["run", "--topology", "torus"], "islands:COUNT"),
        (["run", "--peers", "7", "--topology", "grid"], "no grid"),
        (["run", "--loss", "1.5"], "--loss"),
        (["run", "--fail", "0.5", "--records", "5"], "--fail-after"),
        (["run", "--senders", "all"], "senders"),
        (["sweep"], "--seeds"),
        (["sweep", "--seeds", "0"], "--seeds"),
        (["replay"], "seed"),
        (["meet", "--peers", "61"], "2 to 60"),
        (["urgent", "--peers", "19"], "20 to 10000"),
        (["sweep", "--seeds", "1", "--sabotage", "all"], "sabotage"),
        (["fly"], "fly"),
    ])
    func aWrongArgumentIsOneLineThatSaysWhatToDo(arguments: [String], told: String) throws {
        let result = try run(arguments)
        #expect(result.code == 2)
        #expect(result.output.isEmpty)
        #expect(result.error.hasPrefix("lattice-sim: "))
        #expect(result.error.contains(told), "\(result.error)")
        #expect(result.error.split(separator: "\n").count == 1)
    }

    private struct Ending {
        let code: Int32
        let output: Data
        let error: String
    }

    private func run(_ arguments: [String]) throws -> Ending {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        process.executableURL = folder.appending(path: "lattice-sim")
        process.arguments = arguments
        // Files, not pipes: nobody has to read while it writes.
        let place = FileManager.default.temporaryDirectory.appending(path: "lattice-sim-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: place) } catch { Issue.record("\(place) is left: \(error)") }
        }
        let (output, error) = (place.appending(path: "output"), place.appending(path: "error"))
        for file in [output, error] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: error)
        try process.run()
        process.waitUntilExit()
        return Ending(
            code: process.terminationStatus, output: try Data(contentsOf: output),
            error: String(decoding: try Data(contentsOf: error), as: UTF8.self))
    }
}
