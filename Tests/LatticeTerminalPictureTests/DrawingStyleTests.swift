import LatticeTerminalPicture
import Testing

/// What a terminal is given by what it says of itself.
@Suite struct DrawingStyleTests {
    private func style(
        _ environment: [String: String], asked: DrawingFormat? = nil, isUTF8: Bool = true, hasColour: Bool = true
    ) -> DrawingStyle {
        DrawingStyle(asked, in: environment, isUTF8: isUTF8, hasColour: hasColour)
    }

    @Test func theBestThatTheTerminalCan() {
        let expected: [([String: String], DrawingStyle)] = [
            (["TERM": "xterm-kitty"], .kitty),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .sixel),
            (["TERM": "foot"], .sixel),
            (["TERM": "mlterm"], .sixel),
            (["TERM": "xterm-256color"], .symbols(.direct, isASCII: false)),
            (["TERM": "xterm"], .symbols(.indexed, isASCII: false)),
            (["TERM": "xterm", "COLORTERM": "truecolor"], .symbols(.direct, isASCII: false)),
            (["TERM": "linux"], .symbols(.sixteen, isASCII: false)),
            (["TERM": "dumb"], .symbols(.none, isASCII: false)),
            (["TERM": ""], .symbols(.none, isASCII: false)),
            ([:], .symbols(.none, isASCII: false)),
        ]
        for (environment, style) in expected { #expect(self.style(environment) == style, "\(environment)") }
    }

    /// tmux and screen draw the cells, and the terminal around them is not the one that is drawn on.
    @Test(arguments: [
        ["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"], ["TERM": "screen", "TERM_PROGRAM": "iTerm.app"],
        ["TERM": "foot", "STY": "12.pts-0.host"], ["TERM": "tmux-256color", "KITTY_PID": "1"],
    ])
    func aMultiplexerGetsCharacters(environment: [String: String]) {
        #expect(Multiplexer.isPresent(in: environment))
        #expect(!style(environment).hasPixels)
        #expect(style(environment, asked: .sixel) == .sixel, "some pass it on, and a person may know")
    }

    @Test func whatIsAskedForIsDone() {
        for format in DrawingFormat.allCases {
            let style = style(["TERM": "xterm-kitty"], asked: format)
            #expect(style.hasPixels == (format != .symbols))
        }
        #expect(style(["TERM": "xterm-kitty"], asked: .symbols) == .symbols(.direct, isASCII: false))
    }

    @Test func noColourAndNoUTF8() {
        #expect(style(["TERM": "xterm-256color"], hasColour: false) == .symbols(.none, isASCII: false))
        #expect(style(["TERM": "xterm-256color"], isUTF8: false) == .symbols(.direct, isASCII: true))
        #expect(style(["TERM": "xterm-256color"], isUTF8: false, hasColour: false) == .symbols(.none, isASCII: true))
    }
}
