import Foundation
import LatticeFuzz
import Testing

/// What `tools/fuzz` answers without building anything.
@Suite struct ToolTests {
    private struct Answer {
        let code: Int32
        let output: String
        let error: String
    }

    private func fuzz(_ arguments: String...) throws -> Answer {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let process = Process()
        process.executableURL = root.appending(path: "tools/fuzz")
        process.arguments = arguments
        let (output, error) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, error)
        try process.run()
        // Neither fills its pipe.
        let texts = [output, error].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return Answer(code: process.terminationStatus, output: texts[0], error: texts[1])
    }

    @Test func theListTellsOfEveryTargetWhatHolds() throws {
        let answer = try fuzz("list")
        #expect(answer.code == 0)
        let rows = answer.output.split(separator: "\n")
        #expect(rows.count == FuzzTarget.all.count)
        for target in FuzzTarget.all {
            #expect(rows.contains { $0.hasPrefix(target.name + " ") && $0.hasSuffix(target.summary) }, "\(target.name)")
        }
    }

    @Test(arguments: [("meshh", "mesh"), ("fram", "frame"), ("negentorpy", "negentropy"), ("Mesh", "mesh")])
    func aWrongNameIsAnsweredWithTheNearest(typed: String, meant: String) throws {
        let answer = try fuzz(typed, "5")
        #expect(answer.code == 64)
        #expect(answer.error == "fuzz: there is no target '\(typed)'; did you mean '\(meant)'?\n")
    }

    @Test func whatIsNearNoNameIsAnsweredWithWhereTheyStand() throws {
        for name in ["zzz", "../mesh", ""] {
            let answer = try fuzz(name, "5")
            #expect(answer.code == 64)
            #expect(answer.error.contains("usage:") || answer.error.contains("tools/fuzz list"))
        }
    }

    @Test(arguments: ["0", "-1", "x", "1.5", "1000001", "99999999999999999999"])
    func secondsAreANumberInRange(seconds: String) throws {
        let answer = try fuzz("mesh", seconds)
        #expect(answer.code == 64)
        #expect(answer.error.contains("from 1 to 1,000,000"))
    }

    @Test func withoutSecondsItSaysHowItIsCalled() throws {
        #expect(try fuzz("mesh").error.hasPrefix("fuzz: usage: "))
        #expect(try fuzz().code == 64)
    }

    @Test func keptInputsAreUnpackedAsFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try fuzz("unpack", "bundle", folder.path()).code == 0)
        let inputs = try Corpus.inputs(of: "bundle")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).count == inputs.count)
        for input in inputs {
            let name = input.label == "-" ? "input-\(input.line)" : input.label
            #expect(Array(try Data(contentsOf: folder.appending(path: name))) == input.bytes)
        }
    }

    @Test func aLabelIsLowerCaseWordsAndNew() throws {
        for label in ["Crash", "two words", "-", "../x", ""] {
            let answer = try fuzz("add", "bundle", label, #filePath)
            #expect(answer.code == 64)
            #expect(answer.error.contains("'\(label)' is no label"))
        }
        let answer = try fuzz("add", "bundle", "seed-0", #filePath)
        #expect(answer.code == 64)
        #expect(answer.error == "fuzz: 'seed-0' is kept for bundle already; take another label\n")
    }
}
