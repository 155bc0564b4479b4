import ArgumentParser
import Foundation
import LatticeAPI
import LatticeChat
import LatticeCore

struct FileOpenCommand: SharedCommand {
    static let manual = CommandManual(
        "file open FILE [--output FOLDER]", "Open a file with the program that your desktop has for it.",
        discussion:
            "A file that is not saved yet is fetched and saved first, as by 'file get'; in a chat, open it again when it is saved. Files that may be programs are only saved.",
        examples: ["file open map.pdf", "file open 7cdbb3"])

    @Argument(help: ArgumentHelp("A name, or the beginning of an id.", valueName: "file")) var file: String
    @Option(name: .shortAndLong, help: ArgumentHelp("Where to save it.", valueName: "folder")) var output: String?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        var now = try await node.perform(ShowFile(file))
        if now.path.map({ !FileManager.default.fileExists(atPath: $0) }) ?? true {
            now = try await FileSaving.save(now.id.hex, in: output, on: node, context)
        }
        guard let path = now.path else {
            let words = "fetching \(FileLines.name(of: now)); open it when a notice says that it is saved"
            return CommandOutput([words], objects: [FileLines.object(now)])
        }
        try DesktopOpener.open(path, context.environment)
        return CommandOutput(
            ["opened \(DisplayText.isolated(now.name)), saved as \(DisplayText.safe(path))"],
            objects: [FileLines.object(now)])
    }
}

struct FileRemoveCommand: SharedCommand {
    static let manual = CommandManual(
        "file remove FILE", "Take back a file that you shared, or remove your copy of another.",
        discussion:
            "Your own file is deleted with the line that announced it, here and wherever people hear of that. Of another's file the "
            + "copy here goes, and 'file get' fetches it again. What was saved in a folder stays there.",
        examples: ["file remove map.pdf"])

    @Argument(help: ArgumentHelp("A name, or the beginning of an id.", valueName: "file")) var file: String
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let file = try await node.perform(RemoveFile(file))
        return CommandOutput(["removed \(FileLines.name(of: file))"], objects: [FileLines.object(file)])
    }
}

/// Opens files with the programs that the desktop has for them (xdg-open).
package enum DesktopOpener {
    /// Endings of files that a desktop may run instead of showing them.
    private static let programs: Set<String> = [
        "app", "appimage", "bash", "bat", "bin", "class", "cmd", "com", "command", "csh", "deb", "desktop", "exe",
        "fish", "flatpak",
        "flatpakref", "hta", "jar", "jnlp", "js", "ksh", "lnk", "lua", "msi", "php", "pl", "ps1", "py", "pyc", "pyw",
        "rb", "rpm", "run",
        "scr",
        "sh", "snap", "tcl", "url", "vbs", "wsf", "zsh",
    ]

    package static func hasDesktop(_ environment: [String: String]) -> Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0].map { !$0.isEmpty } ?? false }
    }

    /// - Throws: `CommandFailure` that names the path, if there is no desktop, or the file is a program.
    static func open(_ path: String, _ environment: [String: String]) throws {
        let shown = DisplayText.safe(path)
        guard !programs.contains(URL(filePath: path).pathExtension.lowercased()) else {
            throw CommandFailure(
                code: "isAProgram", "this file may be a program, and is only saved: \(shown)")
        }
        guard hasDesktop(environment) else {
            throw CommandFailure(
                code: "noDesktop", "there is no desktop here that could open it; it is saved as \(shown)")
        }
        do {
            try run(path)
        } catch {
            throw CommandFailure(
                code: "notOpened", "the file was not opened (\(error)); it is saved as \(shown)")
        }
    }

    private struct NotInstalled: Error, CustomStringConvertible {
        let description = "xdg-open is not installed"
    }

    /// - Throws: also if xdg-open is not installed.
    package static func run(_ path: String) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let programs = folders.map { "\($0)/xdg-open" }
        guard let program = programs.first(where: FileManager.default.isExecutableFile) else { throw NotInstalled() }
        let opener = Process()
        opener.executableURL = URL(filePath: program)
        opener.arguments = [path]
        opener.standardInput = FileHandle.nullDevice
        opener.standardOutput = FileHandle.nullDevice
        opener.standardError = FileHandle.nullDevice
        try opener.run()
    }
}
