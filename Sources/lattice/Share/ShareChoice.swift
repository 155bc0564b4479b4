import Glibc
import LatticeChat
import LatticeCore
import LatticeHost
import LatticeSettings
import LatticeShare

/// The files to share, as given by options.
struct ShareChoice {
    let program: String?
    let debian: String?
    let source: String?

    /// - Parameter next: see `Offer`.
    func offer(next: @escaping @Sendable () -> [String]) throws(Failure) -> Offer {
        let program = try file(.program, at: program ?? "/proc/self/exe", name: "lattice")
        guard let needs = program.program else { preconditionFailure("a shared program was read as one") }
        let foreign = needs.foreignLibraries
        if !foreign.isEmpty {
            let named = foreign.prefix(3).joined(separator: ", ") + (foreign.count > 3 ? ", …" : "")
            Report.remark(
                "careful: this program needs \(foreign.count == 1 ? "a library" : "\(foreign.count) libraries") that other "
                    + "machines may lack (\(named)); share one that needs none with --program FILE")
        }
        let debian = try debianPath(for: needs.machine).map { path throws(Failure) in
            try file(.debian, at: path, name: Self.plainName(path, or: "lattice.deb"))
        }
        return Offer(
            program: program, machine: needs.machine, debian: debian, source: try sourceFile(), next: next)
    }

    private func file(_ kind: SharedFile.Kind, at path: String, name: String) throws(Failure) -> SharedFile {
        do throws(SharedFileFault) {
            return try SharedFile(kind, at: path, name: name)
        } catch {
            throw Failure(.failed, "\(error)")
        }
    }

    /// The last part of a path, if it is a name that every system can store.
    private static func plainName(_ path: String, or usual: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_.+~".utf8.contains(byte)
            }
        }
        return isPlain && (1...128).contains(name.utf8.count) ? String(name) : usual
    }

    // MARK: - The package

    /// The chosen one, or the only one for this machine in the folder of the program.
    private func debianPath(for machine: String) -> String? {
        if let debian { return debian }
        let path = program ?? Self.ownPath
        guard let slash = path.lastIndex(of: "/") else { return Self.debian(in: ".", for: machine) }
        return Self.debian(in: slash == path.startIndex ? "/" : String(path[..<slash]), for: machine)
    }

    private static func debian(in folder: String, for machine: String) -> String? {
        let ending = "_\(["x86_64": "amd64", "aarch64": "arm64"][machine] ?? machine).deb"
        let names = names(in: folder).filter { $0.hasPrefix("lattice_") && $0.hasSuffix(ending) }
        if names.count > 1 {
            Report.remark("several .deb files lie beside the program; choose one with --deb FILE")
        }
        return names.count == 1 ? "\(folder)/\(names[0])" : nil
    }

    // Safety: the entry that readdir(3) lends is read before the next call, within the bounds of its own name.
    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    names.append(String(cString: $0))
                }
            }
        }
        return names
    }

    // Safety: the buffer is lent to readlink(2) for the length of the call, with its true size.
    private static var ownPath: String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { readlink("/proc/self/exe", $0.assumingMemoryBound(to: CChar.self), bytes.count) }
                ?? 0
        }
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    // MARK: - The sources

    private func sourceFile() throws(Failure) -> SharedFile? {
        guard let source else { return nil }
        var facts = stat()
        guard stat(source, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            return try file(.source, at: source, name: "source.bundle")
        }
        // Removed at once: the open file stays. mkdtemp(3) replaces the end of the name.
        let end = String(repeating: "X", count: 6)
        var template = Array("\(Surroundings.variable("TMPDIR") ?? "/tmp")/lattice-\(end)".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(.failed, "cannot make a folder for the bundle: \(SystemFault())")
        }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { rmdir(folder) }
        let bundle = "\(folder)/source.bundle"
        defer { unlink(bundle) }
        try Self.makeBundle(bundle, of: source)
        return try file(.source, at: bundle, name: "source.bundle")
    }

    /// A bundle of what is checked out, under the name of its branch.
    private static func makeBundle(_ bundle: String, of checkout: String) throws(Failure) {
        let script = #"exec git -C "$1" bundle create -q "$2" HEAD $(git -C "$1" symbolic-ref -q HEAD)"#
        guard run(["/bin/sh", "-c", script, "sh", checkout, bundle]) == 0 else {
            throw Failure(
                .failed,
                "git cannot make a bundle of \(DisplayText.safe(checkout)); name a checkout, or a bundle: "
                    + "git bundle create source.bundle HEAD")
        }
    }

    /// - Returns: the exit code; -1 if it did not start.
    // Safety: the words are copied for posix_spawn(3) and freed after it; the list ends with a null pointer.
    private static func run(_ words: [String]) -> Int32 {
        var arguments = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var process = pid_t()
        guard posix_spawn(&process, words[0], nil, nil, &arguments, environ) == 0 else { return -1 }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}
