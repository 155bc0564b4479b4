import ArgumentParser
import Foundation
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

struct FileCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "file share|send|list|get|open|cancel|remove …", "Share files, and fetch those of others.",
        examples: ["file share map.pdf", "file send bob map.pdf", "file list", "file get map.pdf"])
    static let configuration = manual.configuration(subcommands: [
        FileShareCommand.self, FileSendCommand.self, FileListCommand.self, FileGetCommand.self, FileOpenCommand.self,
        FileCancelCommand.self, FileRemoveCommand.self,
    ])
}

struct FileShareCommand: SharedCommand {
    static let manual = CommandManual(
        "file share PATH… [--room #lobby]", "Share files and folders with everybody in a room.",
        discussion:
            "A folder is shared with all files in it, and unpacked where it is saved. A copy is kept for 30 days, and sent to "
            + "people who fetch it. A line in the room announces it. "
            + "Others who have fetched it give it as well, so it can be had when you are away. "
            + "In a private room the file is encrypted, and only people who are in the room can read it.",
        examples: ["file share map.pdf", "file share maps --room #park"])

    @Argument(help: ArgumentHelp("Files and folders.", valueName: "path")) var paths: [String]
    @Option(
        help: ArgumentHelp("A room. (default: #lobby; in a chat, the open room)", valueName: "room"),
        transform: Arguments.roomName)
    var room: RoomName?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let room = try room ?? RoomName("#lobby")
        return try await SharedPaths.share(paths, for: .room(room), on: node, context) {
            "shared \(FileLines.name(of: $0)) in \(DisplayText.isolated(room.text))"
        }
    }
}

struct FileSendCommand: SharedCommand {
    static let manual = CommandManual(
        "file send PERSON PATH… [--wait 60]", "Send files and folders to one person, encrypted.",
        discussion:
            "Nobody else can read them, and nobody else learns what they are called. A private message announces them. While the other is away, "
            + "the file waits here and is fetched when you are both there. 'file list' marks it as delivered once the other has all of it. "
            + "With --wait the command ends then, or with exit code 75 if that takes longer.",
        examples: ["file send bob map.pdf", "file send bob maps plan.pdf --wait 600"])

    @Argument(help: ArgumentHelp("A name or an id.", valueName: "person")) var person: String
    @Argument(help: ArgumentHelp("Files and folders.", valueName: "path")) var paths: [String]
    @Option(
        help: ArgumentHelp("Wait until they have it, at most this long.", valueName: "seconds"),
        transform: Arguments.number(1...86_400, "--wait"))
    var wait: Int?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        var files: [FileInfo] = []
        for path in paths {
            files.append(
                try await node.perform(ShareFile(context.absolute(path), for: .person(PeerReference(person)))))
        }
        guard let wait, !context.isChat else { return output(files) }
        var delivery = FileDelivery(files, seconds: wait)
        try await delivery.wait(on: node)
        var output = output(delivery.files)
        if let file = delivery.files.first(where: { !$0.isDelivered }) {
            output.failure = CommandFailure(
                code: "notYet",
                "\(name(of: file)) does not have \(FileLines.name(of: file)) after \(wait) s; it is fetched later all the same",
                exitCode: 75)
        }
        return output
    }

    private func name(of file: FileInfo) -> String {
        FileLines.name(of: file.with) ?? DisplayText.isolated(person)
    }

    private func output(_ files: [FileInfo]) -> CommandOutput {
        let lines = files.map { file in
            let state = wait == nil ? "" : file.isDelivered ? " (delivered)" : " (waiting)"
            return "sent \(FileLines.name(of: file)) to \(name(of: file))\(state)"
        }
        return CommandOutput(lines, objects: files.map(FileLines.object))
    }
}

/// Waits until the other person has all of these files.
private struct FileDelivery {
    private static let interval: Duration = .milliseconds(250)

    private(set) var files: [FileInfo]
    private let end: ContinuousClock.Instant
    private let bar = FileProgressBar()

    init(_ files: [FileInfo], seconds: Int) {
        self.files = files
        end = .now.advanced(by: .seconds(seconds))
    }

    mutating func wait(on node: any MeshNode) async throws {
        while let index = files.firstIndex(where: { !$0.isDelivered }), ContinuousClock.now < end {
            files[index] = try await node.perform(ShowFile(files[index].id.hex))
            guard !files[index].isDelivered else { continue }
            bar.showDelivery(of: files[index])
            try await Task.sleep(for: Self.interval)
        }
        bar.clear()
    }
}

enum SharedPaths {
    static func share(
        _ paths: [String], for audience: FileAudience, on node: any MeshNode, _ context: CommandContext,
        words: (FileInfo) -> String
    ) async throws -> CommandOutput {
        var (lines, objects): ([String], [JSONLine]) = ([], [])
        for path in paths {
            let file = try await node.perform(ShareFile(context.absolute(path), for: audience))
            lines.append(words(file))
            objects.append(FileLines.object(file))
        }
        return CommandOutput(lines, objects: objects)
    }
}

struct FileListCommand: SharedCommand {
    static let manual = CommandManual(
        "file list [--room #lobby] [--with PERSON]", "List the files that were shared, newest first.",
        discussion:
            "A public file goes from the list 30 days after it was shared, a private one when its message is deleted. 'with bob' in place of a "
            + "room is a file that only you and bob can read.",
        examples: ["file list", "file list --room #park", "file list --with bob"])

    @Option(help: ArgumentHelp("Only files of this room.", valueName: "room"), transform: Arguments.roomName)
    var room: RoomName?
    @Option(
        name: .customLong("with"),
        help: ArgumentHelp("Only files sent between you and this person.", valueName: "person"))
    var person: String?
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func validate() throws {
        guard room == nil || person == nil else { throw ValidationError("give either --room or --with") }
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let audience = room.map { FileAudience.room($0) } ?? person.map { .person(PeerReference($0)) }
        let files = try await node.perform(ListFiles(for: audience)).files
        guard !files.isEmpty else { return .none("no files yet; \(context.call("file share PATH")) shares one") }
        return CommandOutput(FileLines.table(files, context), objects: files.map(FileLines.object))
    }
}

struct FileGetCommand: SharedCommand {
    static let manual = CommandManual(
        "file get FILE [--output FOLDER]", "Fetch a file, and save it.",
        discussion:
            "FILE is its name, or the beginning of its id as 'file list' shows it. It is fetched from all neighbours that have it, and "
            + "goes on after a lost connection or a restart. It is saved in your download folder or in the one you name; an "
            + "existing file is never overwritten. In a chat, a notice says when it is saved.",
        examples: ["file get map.pdf", "file get 7cdbb3 --output /tmp"])

    @Argument(help: ArgumentHelp("A name, or the beginning of an id.", valueName: "file")) var file: String
    @Option(name: .shortAndLong, help: ArgumentHelp("Where to save it.", valueName: "folder")) var output: String?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let now = try await FileSaving.save(file, in: output, on: node, context)
        let words = now.path == nil ? "fetching \(FileLines.name(of: now))" : FileLines.saved(now)
        return CommandOutput([words], objects: [FileLines.object(now)])
    }
}

/// Fetches a file and saves it in a folder.
enum FileSaving {
    private static let interval: Duration = .milliseconds(250)

    /// Waits until it is saved, except in a chat.
    ///
    /// - Parameter folder: `nil` is the download folder.
    /// - Throws: `RequestError.file` if it could not be saved; `CommandFailure` if it was cancelled.
    static func save(
        _ file: String, in folder: String?, on node: any MeshNode, _ context: CommandContext
    ) async throws -> FileInfo {
        let folder = folder.map(context.absolute) ?? DownloadFolder.path
        return try await saved(try await node.perform(GetFile(file, into: folder)), on: node, context)
    }

    /// Waits until a file that is being fetched is saved, except in a chat.
    static func saved(
        _ file: FileInfo, on node: any MeshNode, _ context: CommandContext
    ) async throws -> FileInfo {
        guard !context.isChat else { return file }
        var now = file
        let bar = FileProgressBar()
        while now.path == nil, now.state == .coming || now.state == .waiting {
            bar.show(now)
            try await Task.sleep(for: interval)
            now = try await node.perform(ShowFile(now.id.hex))
        }
        bar.clear()
        if let fault = now.fault { throw RequestError.file(fault: fault) }
        guard now.path != nil else {
            throw CommandFailure(
                code: "cancelled", "\(FileLines.name(of: now)) was cancelled; 'file get' goes on with it")
        }
        return now
    }
}

struct FileCancelCommand: SharedCommand {
    static let manual = CommandManual(
        "file cancel FILE", "Stop fetching a file.",
        discussion: "What has come is kept; 'file get' goes on from there.", examples: ["file cancel map.pdf"])

    @Argument(help: ArgumentHelp("A name, or the beginning of an id.", valueName: "file")) var file: String
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let file = try await node.perform(CancelFile(file))
        return CommandOutput(["stopped fetching \(FileLines.name(of: file))"], objects: [FileLines.object(file)])
    }
}

/// How far a file is, on a terminal.
private struct FileProgressBar {
    private let begun = ContinuousClock.now

    func show(_ file: FileInfo) {
        let seconds = max(0.001, Double(begun.duration(to: .now).milliseconds) / 1_000)
        ShellProgress.show(FileLines.progress(file, perSecond: Int(Double(file.here) / seconds)))
    }

    func showDelivery(of file: FileInfo) {
        let seconds = max(0.001, Double(begun.duration(to: .now).milliseconds) / 1_000)
        ShellProgress.show(FileLines.delivery(file, perSecond: Int(Double(file.given) / seconds)))
    }

    func clear() { ShellProgress.show(nil) }
}

/// How far something is, in the last row of a terminal.
enum ShellProgress {
    private static let isShown = isatty(STDERR_FILENO) == 1

    /// - Parameter text: fits 40 columns; `nil` when it is done.
    static func show(_ text: String?) {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\(text ?? "")\u{1B}[K".utf8))
    }
}

extension CommandContext {
    func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        if path == "~" || path.hasPrefix("~/") { return DownloadFolder.home + path.dropFirst() }
        return self.path(path)
    }
}

/// Where people's programs save what they fetch (xdg-user-dirs: XDG_DOWNLOAD_DIR).
enum DownloadFolder {
    static var path: String { path(home: home, settings: settings) }

    /// The variable counts, as in a shell.
    static var home: String { ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory() }

    private static var settings: String? {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
        return FileManager.default.contents(atPath: folder + "/user-dirs.dirs").map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// - Parameter settings: the contents of `user-dirs.dirs`.
    static func path(home: String, settings: String?) -> String {
        let lines = (settings ?? "").split(separator: "\n").map { $0.drop { $0 == " " } }
        for line in lines where line.hasPrefix("XDG_DOWNLOAD_DIR=") {
            let value = line.dropFirst("XDG_DOWNLOAD_DIR=".count).filter { $0 != "\"" }
            if value.hasPrefix("$HOME/") { return home + value.dropFirst("$HOME".count) }
            if value.hasPrefix("/") { return String(value) }
        }
        return home + "/Downloads"
    }
}
