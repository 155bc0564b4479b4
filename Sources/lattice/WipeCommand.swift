import ArgumentParser
import Glibc
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeCrypto
import LatticeHost
import LatticeNode
import LatticeSettings

struct WipeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: "Remove an identity and all its data from this machine.",
        discussion: """
            It removes everything that lattice made in that folder; other files are kept and listed. It does not follow links: \
            if there is one, it names it and removes nothing. The identity is overwritten first, but flash and copy-on-write \
            disks may keep copies. Others keep what they received, and without a backup nobody can use that identity again.

            For example:
              lattice wipe --name alice
              lattice wipe --name alice --yes --json
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions

    @Flag(help: "Do not ask, for scripts.")
    var yes = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let directory = try person.choice.directory()
        try PersonChoice.checkSomebodyIsThere(directory, "nothing was removed")
        do {
            try directory.checkIsNoLink()
            try directory.claim(isRemembered: false)
        } catch {
            guard case .inUse = error else { throw Failure(.failed, error.description) }
            throw Failure(.unavailable, "\(error.toEndFirst); nothing was removed")
        }
        if !yes { try confirm(directory) }
        let wiped: WipedFolder
        do {
            wiped = try directory.wipe()
        } catch {
            throw Failure(.failed, error.description)
        }
        try Report.output(json ? Self.object(wiped, directory).description + "\n" : Self.lines(wiped, directory))
        if !json { Report.remark("flash and copy-on-write disks may keep copies of what was overwritten") }
        guard wiped.failed.isEmpty else {
            throw Failure(.failed, "cannot remove everything: \(wiped.failed.joined(separator: "; "))")
        }
    }

    /// On a terminal the person must type the name, so that nobody wipes by mistake.
    private func confirm(_ directory: DataDirectory) throws {
        let name = DisplayText.isolated(directory.name.text)
        guard isatty(STDIN_FILENO) != 0 else {
            throw Failure(.usage, "this removes \(name) from this machine for good; confirm with --yes")
        }
        Report.raw(
            DisplayText.safe("This removes \(name) for good: \(directory.path)") + "\n"
                + "Type the name to confirm: ")
        guard readLine(strippingNewline: true) == directory.name.text else {
            throw Failure(.usage, "the name does not match; nothing was removed")
        }
    }

    private static func lines(_ wiped: WipedFolder, _ directory: DataDirectory) -> String {
        var lines = wiped.removed.map { "removed \($0.name) (\(StoreLines.bytes($0.bytes)))" }
        lines += wiped.left.map { "kept \($0): lattice did not make it" }
        lines.append(
            wiped.isFolderGone ? "removed the folder \(directory.path)" : "the folder \(directory.path) is still there")
        return lines.map { "\(DisplayText.safe($0))\n" }.joined()
    }

    private static func object(_ wiped: WipedFolder, _ directory: DataDirectory) -> JSONLine {
        let removed = wiped.removed.map { file in
            JSONLine.Value.object(JSONLine([("file", .text(file.name)), ("bytes", .integer(file.bytes))]))
        }
        return JSONLine([
            ("event", .text("wiped")), ("name", .text(directory.name.text)), ("folder", .text(directory.path)),
            ("removed", .list(removed)), ("left", .list(wiped.left.map { .text($0) })),
            ("failed", .list(wiped.failed.map { .text($0) })), ("folder_removed", .flag(wiped.isFolderGone)),
        ])
    }
}
