import Foundation

/// The inputs that are kept for each target: what libFuzzer found to be of use, and as `crash-…` what once broke it.
///
/// `Corpora/TARGET` has a line for each input, with its label (`-` if it has none) and its bytes in Base64.
enum Corpus {
    struct Input {
        let label: String
        let bytes: [UInt8]
        let line: Int

        /// Where to find it.
        var place: String { "line \(line) (\(label))" }
        /// What once broke the target.
        var isCrash: Bool { label.hasPrefix("crash-") }
    }

    struct BadLine: Error {
        let target: String
        let line: Int
    }

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

    static func names() throws -> [String] { try names(in: tests.appending(path: "Corpora")) }

    static func dictionaries() throws -> [String] { try names(in: tests.appending(path: "Dictionaries")) }

    static func lines(of target: String) throws -> [Substring] {
        let file = tests.appending(path: "Corpora").appending(path: target)
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    }

    static func inputs(of target: String) throws -> [Input] {
        try lines(of: target).enumerated().map { index, line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard fields.count == 2, let bytes = Data(base64Encoded: String(fields[1])) else {
                throw BadLine(target: target, line: index + 1)
            }
            return Input(label: String(fields[0]), bytes: Array(bytes), line: index + 1)
        }
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { !$0.hasPrefix(".") }.sorted()
    }
}
