import Foundation

/// A Swift program that does nothing but wait for the end of its input: what any of them costs before it has begun.
struct EmptyProgram {
    /// As the figures name it.
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

    /// Compiled here and now, with Swift's libraries inside and with those of the machine.
    ///
    /// - Returns: none where there is no compiler.
    static func both(in folder: URL) throws -> [EmptyProgram] {
        [try plain(in: folder), try compiled("dynamic", [], in: folder)].compactMap(\.self)
    }

    /// Compiled as the program is, Swift's libraries inside.
    ///
    /// - Returns: `nil` where there is no compiler.
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

    /// - Returns: seconds from its start to its first line.
    func start() throws -> Double {
        let process = SpawnedProcess(words: [path], face: .pipe)
        try process.start()
        defer { process.end() }
        return try process.wait(for: "\n")
    }

    /// Resident, in kilobytes, once it waits.
    func memory() throws -> Int {
        let process = SpawnedProcess(words: [path], face: .pipe)
        try process.start()
        defer { process.end() }
        try process.wait(for: "\n")
        return try ProcessCost(identifier: process.identifier).memory().resident
    }
}
