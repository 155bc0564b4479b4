import LatticeCore

/// Asks the terminal to show an alert on the desktop. Those that cannot, ignore it.
package struct DesktopAlert: Hashable, Sendable {
    package let text: String
    /// It is about another conversation than the open one: it is shown even while the terminal has the focus.
    package let isElsewhere: Bool

    private static let charactersMax = 200

    package init(_ text: String, isElsewhere: Bool) {
        (self.text, self.isElsewhere) = (text, isElsewhere)
    }

    /// A multiplexer between the program and the terminal, which passes on only what is wrapped for it.
    package enum Passage: Sendable {
        case direct
        case tmux
        case screen

        package init(environment: (String) -> String?) {
            if environment("TMUX")?.isEmpty == false {
                self = .tmux
            } else if environment("STY")?.isEmpty == false {
                self = .screen
            } else {
                self = .direct
            }
        }

        fileprivate func wrapped(_ sequence: String) -> String {
            switch self {
            case .direct: sequence
            case .tmux: "\u{1B}Ptmux;\(sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}"))\u{1B}\\"
            case .screen: "\u{1B}P\(sequence)\u{1B}\\"
            }
        }
    }

    /// OSC 9 (iTerm2, Windows Terminal, ConEmu) and OSC 777 (rxvt, foot, VTE).
    package func sequence(_ passage: Passage) -> String {
        let words = Self.plain(text)
        return passage.wrapped("\u{1B}]9;\(words)\u{07}")
            + passage.wrapped("\u{1B}]777;notify;lattice;\(words.replacing(";", with: ","))\u{07}")
    }

    /// In one row without anything that acts on a terminal. A text like `4;1;50` would be another request of OSC 9, so that it
    /// never begins with a digit.
    private static func plain(_ text: String) -> String {
        let safe = DisplayText.safe(text).unicodeScalars.filter {
            !DisplayText.isUnsafe($0) && !(0x2066...0x2069).contains($0.value) && $0 != "\n"
        }
        let words = String(String.UnicodeScalarView(safe))
        let short = words.count > charactersMax ? words.prefix(charactersMax - 1) + "…" : words[...]
        return short.first?.isNumber == true ? "\u{2060}\(short)" : String(short)
    }
}

/// Of many alerts at once some are left out: each is a window on the desktop.
struct AlertPace: Sendable {
    static let shownMax = 10
    static let interval: Duration = .seconds(10)

    private var began: Instant?
    private var shown = 0

    mutating func lets(at now: Instant) -> Bool {
        if began.map({ $0.duration(to: now) >= Self.interval }) ?? true { (began, shown) = (now, 0) }
        shown += 1
        return shown <= Self.shownMax
    }
}
