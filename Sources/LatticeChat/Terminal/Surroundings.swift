import Foundation
import Glibc
package import LatticeCore

/// What this process finds around it: the time, the terminal, the locale, the folder.
// Safety: structures and a buffer are lent to the system for the length of a call, with their true sizes.
package enum Surroundings {
    package static func ofShell() -> CommandContext {
        var context = context(isChat: false)
        context.hasColor = context.isTerminal && !isSet("NO_COLOR")
        context.drawsPictures = context.isTerminal && !["dumb", nil].contains(variable("TERM"))
        return context
    }

    /// - Parameters:
    ///   - hasColor: whether the chat shows colours.
    ///   - drawsPictures: as in `CommandContext`.
    package static func ofChat(hasColor: Bool = false, drawsPictures: Bool = false) -> CommandContext {
        var context = context(isChat: true)
        (context.hasColor, context.drawsPictures) = (hasColor, drawsPictures)
        return context
    }

    /// Whether a chat with these options shows colours.
    package static func chatHasColor(json: Bool, plain: Bool, noColor: Bool) -> Bool {
        !json && !plain && !TerminalDevice.plainWanted && !noColor && !isSet("NO_COLOR")
    }

    private static func context(isChat: Bool) -> CommandContext {
        let isTerminal = isatty(1) == 1
        let size = terminalSize
        var context = CommandContext(
            now: present(), columns: isTerminal ? size.columns : 80, rows: isTerminal ? size.rows : 24,
            isTerminal: isTerminal, isUTF8: isUTF8, isChat: isChat, folder: folder, calendar: .here)
        context.cell = isTerminal ? size.cell : nil
        context.environment = ProcessInfo.processInfo.environment
        return context
    }

    @Sendable package static func present() -> WallTime {
        var time = timespec()
        let result = clock_gettime(CLOCK_REALTIME, &time)
        precondition(result == 0, "every system knows its date")
        return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// 80 × 24 where the terminal does not tell.
    private static var terminalSize: (columns: Int, rows: Int, cell: CommandContext.Cell?) {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24, nil) }
        let cell = CommandContext.Cell(
            width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
        return (Int(size.ws_col), Int(size.ws_row), cell.width > 0 && cell.height > 0 ? cell : nil)
    }

    /// As POSIX orders the variables of the locale; without any of them it is ASCII.
    private static var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(variable).first ?? "C"
        return ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }

    private static var folder: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    private static func isSet(_ name: String) -> Bool { variable(name) != nil }

    /// An empty variable counts as none.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
