import Glibc
import LatticeChat
import LatticeCore

/// Loads the settings of this process.
// Safety: the environment is read before any thread of ours starts and while nobody changes it; each of its texts ends
// with NUL. A buffer is lent to read(2) for the length of the call, with its true size.
extension Settings {
    /// - Parameter arguments: without the program's name.
    /// - Throws: `Failure`, which names the file or variable and says what to do.
    package static func load(_ arguments: [String]) throws(Failure) -> Settings {
        let file = try file(at: place(arguments))
        return try Settings(arguments: arguments, environment: environment, file: file)
    }

    package static func place(_ arguments: [String]) -> SettingsFile.Place {
        SettingsFile.place(named: named(arguments), Surroundings.variable) { access($0, F_OK) == 0 }
    }

    private static func named(_ arguments: [String]) -> String? {
        let words = Array(arguments.prefix { $0 != "--" })
        for (index, word) in words.enumerated().reversed() {
            if word.hasPrefix("--config=") { return String(word.dropFirst("--config=".count)) }
            if word == "--config", index + 1 < words.count { return words[index + 1] }
        }
        return nil
    }

    private static func file(at place: SettingsFile.Place) throws(Failure) -> SettingsFile? {
        let descriptor = open(place.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR, !place.isNamed { return nil }
            throw Failure(.usage, "cannot read the settings \(place.path): \(SystemFault())")
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.usage, "cannot read the settings \(place.path): it is not a file")
        }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while text.count <= SettingsFile.bytesMax {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw Failure(.usage, "cannot read the settings \(place.path): \(SystemFault())") }
            if count == 0 { return try SettingsFile(path: place.path, text: text, home: Surroundings.variable("HOME")) }
            text += buffer[..<count]
        }
        throw Failure(.usage, "the settings \(place.path) have more than \(SettingsFile.bytesMax) bytes; shorten them")
    }

    /// Only our variables: an environment may have hundreds of others.
    private static var environment: [String: String] {
        var environment: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            defer { next += 1 }
            guard strncmp(entry, "LATTICE_", 8) == 0 else { continue }
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                environment[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
        }
        return environment
    }
}
