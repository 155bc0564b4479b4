import LatticeAPI

enum InputMeaning {
    case nothing
    /// A line for the room or the partner.
    case line(SayLines.Line)
    case command(SlashCommand)
    /// A word of the `ChatExtension`, and its arguments.
    case extra(String, String)
    /// Why the line was not understood. `isSecret`: it was meant for a room that must be entered with a key.
    case mistake(String, isSecret: Bool)
    /// The line is sent if it is entered again.
    case question(String)
    case refused(code: String, String)
    case endOfInput
    case interrupt
}

struct InputReader {
    let isInteractive: Bool
    /// Commands of the `ChatExtension`.
    let extraWords: [String]
    private var confirmation = PendingConfirmation()

    init(isInteractive: Bool, extraWords: [String]) {
        (self.isInteractive, self.extraWords) = (isInteractive, extraWords)
    }

    mutating func meaning(of input: ChatInput) -> InputMeaning {
        switch input {
        case .line(let line):
            if isInteractive, let question = confirmation.question(about: line) { return .question(question) }
            return Self.meaning(of: LineParser.parse(line, extraWords: extraWords), typed: line)
        case .pasted(let text): return Self.meaning(of: LineParser.parse(pasted: text), typed: text)
        case .refused(let code, let text): return .refused(code: code, text)
        case .endOfInput: return .endOfInput
        case .interrupt: return .interrupt
        }
    }

    private static func meaning(of parsed: ParsedLine, typed line: String) -> InputMeaning {
        switch parsed {
        case .nothing: .nothing
        case .say(let text): .line(SayLines.Line(text))
        case .command(.me(let text)): .line(SayLines.Line(text, style: .acts))
        case .command(let command): .command(command)
        case .extra(let word, let rest): .extra(word, rest)
        case .mistake(let text): .mistake(text, isSecret: SecretLine.leads(line))
        }
    }
}
