import Foundation

/// The files that are kept for each target: what libFuzzer found to be of use, and as `crash-…` what once broke it.
enum Corpus {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

    static func names() throws -> [String] { try names(in: tests.appending(path: "Corpora")) }

    static func dictionaries() throws -> [String] { try names(in: tests.appending(path: "Dictionaries")) }

    static func files(of name: String) throws -> [(name: String, bytes: [UInt8])] {
        let folder = tests.appending(path: "Corpora").appending(path: name)
        return try names(in: folder).map { file in
            (file, Array(try Data(contentsOf: folder.appending(path: file))))
        }
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { !$0.hasPrefix(".") }.sorted()
    }
}
