/// What a person may ask for by name.
package enum DrawingFormat: String, CaseIterable, Sendable {
    case symbols, sixel, kitty, iterm
}

/// How a picture is drawn.
package enum DrawingStyle: Hashable, Sendable {
    package enum Colours: Hashable, Sendable {
        case none, sixteen, indexed, direct
    }

    /// Characters; in the terminal's own two colours if there are none.
    case symbols(Colours, isASCII: Bool)
    case sixel
    case kitty
    case iterm

    /// Whether the terminal itself draws pixels.
    package var hasPixels: Bool {
        if case .symbols = self { false } else { true }
    }
}

extension DrawingStyle {
    /// The best that a terminal can do.
    ///
    /// - Parameters:
    ///   - asked: `nil` lets the terminal decide.
    ///   - environment: the variables by which a terminal names itself.
    ///   - hasColour: `false` if the person wants none.
    package init(_ asked: DrawingFormat?, in environment: [String: String], isUTF8: Bool, hasColour: Bool) {
        let terminal = TerminalKind(environment)
        let symbols = Self.symbols(hasColour ? terminal.colours : .none, isASCII: !isUTF8)
        switch asked {
        case .symbols: self = symbols
        case .sixel: self = .sixel
        case .kitty: self = .kitty
        case .iterm: self = .iterm
        case nil: self = Multiplexer.isPresent(in: environment) ? symbols : terminal.pixelStyle ?? symbols
        }
    }
}

/// tmux and screen draw every cell themselves, and do not know where a picture is.
package enum Multiplexer {
    package static func isPresent(in environment: [String: String]) -> Bool {
        let isInside = ["TMUX", "STY"].contains { environment[$0]?.isEmpty == false }
        return isInside || ["screen", "tmux"].contains { environment["TERM"]?.hasPrefix($0) == true }
    }
}
