import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore

/// How a chat looks here: a line editor on a terminal, plain lines elsewhere, JSON for programs.
struct ChatFace {
    let screen: any ChatScreen
    let renderer: any Renderer
    let isInteractive: Bool

    /// A line is refused beyond this, not cut.
    static let lineBytesMax = 4_096

    static func make(json: Bool, plain: Bool, noColor: Bool, me: Me, historyPath: String) -> ChatFace {
        if json {
            return ChatFace(
                screen: PlainScreen(lineBytesMax: lineBytesMax), renderer: JSONRenderer(), isInteractive: false)
        }
        return ChatFace(
            screen: PlainScreen(lineBytesMax: lineBytesMax), renderer: PlainRenderer(me: me.id), isInteractive: false)
    }
}
