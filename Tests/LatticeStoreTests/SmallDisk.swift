import Foundation

/// A file system of its own in memory.
struct SmallDisk {
    let folder: Folder

    static var canBeMounted: Bool {
        guard getuid() == 0, let disk = try? SmallDisk(kilobytes: 64) else { return false }
        disk.unmount()
        return true
    }

    init(kilobytes: Int) throws {
        folder = try Folder()
        try Self.run("/bin/mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.url.path)
    }

    func path(_ name: String) -> String { folder.url.appending(path: name).path }

    func makeReadOnly() throws {
        try Self.run("/bin/mount", "-o", "remount,ro", folder.url.path)
    }

    func unmount() {
        try? Self.run("/bin/umount", "-l", folder.url.path)
    }

    private static func run(_ program: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
