import Glibc
package import LatticeAPI
package import LatticeChat
import LatticeCore
package import LatticeSettings

/// The screen and renderer of a chat: a line editor on a terminal, plain lines elsewhere, JSON for programs.
package struct ChatFace {
    package let screen: any ChatScreen
    package let renderer: any Renderer
    package let isInteractive: Bool
    /// Whether typed lines stay on the screen as typed.
    package var keepsTyped = false
    /// Whether a prompt shows what is unread elsewhere.
    package var hasPrompt = false

    /// A longer line is refused, not cut: this is enough for the longest text, with a command and a name before it. The
    /// node checks the length of the text alone.
    private static let lineBytesMax = textBytesMax + 128
    private static let textBytesMax = 4_096

    private static var plainScreen: PlainScreen { PlainScreen(lineBytesMax: lineBytesMax, textBytesMax: textBytesMax) }

    /// - Throws: `Failure` if the terminal cannot be taken over.
    package static func make(
        json: Bool, plain: Bool, noColor: Bool, me: Me, historyPath: String, extraWords: [String]
    ) throws(Failure) -> ChatFace {
        if json {
            return ChatFace(screen: plainScreen, renderer: JSONRenderer(), isInteractive: false)
        }
        if plain || TerminalDevice.plainWanted {
            return ChatFace(
                screen: plainScreen,
                renderer: PlainRenderer(clock: TimeOfDay.string, marksMentions: isatty(1) == 1),
                isInteractive: isatty(0) == 1, keepsTyped: true)
        }
        let hasColor = !noColor && !isNoColorSet
        let isUTF8 = Surroundings.ofChat().isUTF8
        do {
            let screen = try TerminalScreen(
                historyPath: historyPath, lineBytesMax: lineBytesMax, textBytesMax: textBytesMax, hasColor: hasColor,
                isUTF8: isUTF8, extraWords: extraWords,
                passage: DesktopAlert.Passage { name in getenv(name).map { String(cString: $0) } })
            let renderer = TerminalRenderer(
                me: me.id, hasColor: hasColor, isUTF8: isUTF8, size: { screen.size }, clock: TimeOfDay.string)
            return ChatFace(screen: screen, renderer: renderer, isInteractive: true, hasPrompt: true)
        } catch {
            throw Failure(.failed, "\(error); try --plain")
        }
    }

    /// NO_COLOR counts if it is not empty (no-color.org).
    private static var isNoColorSet: Bool {
        getenv("NO_COLOR").map { String(cString: $0) }.map { !$0.isEmpty } ?? false
    }
}
