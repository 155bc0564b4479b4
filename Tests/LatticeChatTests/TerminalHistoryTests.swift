import Foundation
import LatticeChat
import Testing

struct TerminalHistoryTests {
    private func withFile(_ body: (HistoryFile) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(HistoryFile(path: folder.appendingPathComponent("history").path))
    }

    private func mode(of file: HistoryFile) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test func linesAreKeptOnceInARow() {
        var history = LineHistory()
        let kept = ["a", "a", "b", "a"].map { history.add($0) }
        #expect(kept == [true, false, true, true])
        #expect(history.entries == ["a", "b", "a"])
    }

    @Test func blankAndSpacedLinesAreNotKept() {
        var history = LineHistory()
        let kept = ["", " secret", "\u{3000}", "a\nb"].map { history.add($0) }
        #expect(!kept.contains(true))
        #expect(history.entries == [])
    }

    @Test func theOldestLineGoesWhenThereAreTooMany() {
        let history = LineHistory((0...LineHistory.entriesMax).map { "line \($0)" })
        #expect(history.entries.count == LineHistory.entriesMax)
        #expect(history.entries.first == "line 1")
    }

    @Test func aFileThatIsNotThereIsAnEmptyHistory() throws {
        try withFile { file in
            #expect(file.load().history == LineHistory())
            #expect(file.load().message == nil)
        }
    }

    @Test func whatWasAppendedIsLoadedAndPrivate() throws {
        try withFile { file in
            try Data("old\n".utf8).write(to: URL(fileURLWithPath: file.path))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            #expect(file.append("one") == nil)
            #expect(file.append("漢字") == nil)
            #expect(file.load().history.entries == ["old", "one", "漢字"])
            #expect(try mode(of: file) == 0o600)
        }
    }

    @Test func rewritingReplacesTheFile() throws {
        try withFile { file in
            #expect(file.append("one") == nil)
            #expect(file.rewrite(LineHistory(["two", "three"])) == nil)
            #expect(file.load().history.entries == ["two", "three"])
            #expect(try mode(of: file) == 0o600)
            let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent()
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left == ["history"])
        }
    }

    @Test func anOvergrownFileIsCutWhenItIsLoaded() throws {
        try withFile { file in
            let lines = (0...2 * LineHistory.entriesMax).map { "line \($0)\n" }.joined()
            try Data(lines.utf8).write(to: URL(fileURLWithPath: file.path))
            let (history, message) = file.load()
            #expect(message == nil)
            #expect(history.entries.last == "line \(2 * LineHistory.entriesMax)")
            let kept = try String(contentsOfFile: file.path, encoding: .utf8)
            #expect(kept == history.entries.map { $0 + "\n" }.joined())
        }
    }

    @Test func whatIsNotUTF8IsRepaired() throws {
        try withFile { file in
            try Data([0x61, 0xFF, 0x62, 0x0A]).write(to: URL(fileURLWithPath: file.path))
            #expect(file.load().history.entries == ["a\u{FFFD}b"])
        }
    }

    @Test func whatCannotBeReadOrWrittenIsSaid() throws {
        let folder = HistoryFile(path: FileManager.default.temporaryDirectory.path)
        #expect(folder.load().history == LineHistory())
        #expect(folder.load().message?.contains("is not a file") == true)
        #expect(folder.append("a")?.contains("cannot be written") == true)
        #expect(HistoryFile(path: "/nowhere/at/all").rewrite(LineHistory())?.contains("cannot be written") == true)
    }
}
