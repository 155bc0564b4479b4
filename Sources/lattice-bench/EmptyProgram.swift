import Foundation

/// A Swift program that only waits for the end of its input: the minimum cost of any Swift program.
struct EmptyProgram {
    let name: String
    let path: String

    private static let source = """
        import Foundation

        @main struct Empty {
            static func main() async {
                print(ProcessInfo.processInfo.processIdentifier)
                fflush(nil)
                await Task { while getchar() != EOF {} }.value
            }
        }
        """

    /// Compiled now, with Swift's libraries linked statically and dynamically.
    ///
    /// - Returns: nothing if there is no compiler.
    static func both(in folder: URL) throws -> [EmptyProgram] {
        [try plain(in: folder), try compiled("dynamic", [], in: folder)].compactMap(\.self)
    }

    /// Compiled like the program, with Swift's libraries linked statically.
    ///
    /// - Returns: `nil` if there is no compiler.
    static func plain(in folder: URL) throws -> EmptyProgram? {
        try compiled("static", ["-static-stdlib"], in: folder)
    }

    private static func compiled(_ name: String, _ options: [String], in folder: URL) throws -> EmptyProgram? {
        let source = folder.appending(path: "empty.swift")
        try Data(Self.source.utf8).write(to: source)
        let program = EmptyProgram(name: name, path: folder.appending(path: "empty-\(name)").path)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-O", "-parse-as-library"] + options + [source.path, "-o", program.path]
        compiler.standardOutput = FileHandle.nullDevice
        compiler.standardError = FileHandle.nullDevice
        try compiler.run()
        compiler.waitUntilExit()
        return compiler.terminationStatus == 0 ? program : nil
    }

    /// - Returns: the time from its start to its first line, in seconds.
    func start() throws -> Double {
        let process = SpawnedProcess(words: [path], face: .pipe)
        try process.start()
        defer { process.end() }
        return try process.wait(for: "\n")
    }

    /// Resident memory while it waits, in kilobytes.
    func memory() throws -> Int {
        let process = SpawnedProcess(words: [path], face: .pipe)
        try process.start()
        defer { process.end() }
        try process.wait(for: "\n")
        return try ProcessCost(identifier: process.identifier).memory().resident
    }
}
