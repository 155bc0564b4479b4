import Foundation

/// A Swift file of a module, as it is and as code only.
struct SourceFile {
    /// From the root of the repository: `Sources/LatticeMesh/Mesh.swift`.
    let path: String
    let module: String
    let lines: [String]
    /// As many lines as `lines`, without comments and without the text of string literals.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        let parts = path.split(separator: "/")
        module = parts.count > 2 ? String(parts[1]) : ""
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        code = SwiftCode.lines(of: text)
    }

    func fault(line index: Int, _ message: String) -> String {
        "\(path):\(index + 1): \(message)"
    }
}

/// The checkout that these tests were compiled from.
enum Checkout {
    static var root: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .path(percentEncoded: false)
    }

    /// The names of what is in a folder, `folder` counted from the root; sorted.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + folder).sorted()
    }

    /// Every file under `folder` with one of the endings, from the root, sorted.
    static func paths(in folder: String, endingWith endings: [String]) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + folder)
            .filter { path in endings.contains(where: path.hasSuffix) }
            .sorted()
            .map { folder + "/" + $0 }
    }

    static func text(of path: String) throws -> String {
        try String(contentsOfFile: root + path, encoding: .utf8)
    }

    /// Every Swift file under `Sources`, sorted by path.
    static func sourceFiles() throws -> [SourceFile] { try sources.get() }

    /// Read once for all tests.
    private static let sources = Result {
        try FileManager.default.subpathsOfDirectory(atPath: root + "Sources")
            .filter { $0.hasSuffix(".swift") }
            .sorted()
            .map { path in
                let text = try String(contentsOfFile: root + "Sources/" + path, encoding: .utf8)
                return SourceFile(path: "Sources/" + path, text: text)
            }
    }
}
