import LatticeAPI
import LatticeCore

package enum ParsedLine: Hashable, Sendable {
    case nothing
    case say(String)
    case command(SlashCommand)
    /// A word of the `ChatExtension`, and its arguments.
    case extra(String, String)
    /// Why the line was not understood, and what to type instead.
    case mistake(String)
}

/// Parses a line: text is said, `/word` is a command, `//x` says `/x`.
package enum LineParser {
    private static let secretMistake =
        "This looks like the key of a room, so it was not sent. A command begins with a slash: /join #room KEY."

    /// - Parameter extraWords: commands besides `CommandWord`.
    package static func parse(_ line: String, extraWords: [String] = []) -> ParsedLine {
        guard line.contains(where: { !$0.isWhitespace }) else { return .nothing }
        guard line.hasPrefix("/") else {
            // A leading blank turns a `/join` line into text, and everybody would read the key.
            guard SecretLine.holdsKey(line) else { return .say(line) }
            return .mistake(secretMistake)
        }
        if line.hasPrefix("//") { return .say(String(line.dropFirst())) }
        let word = line.dropFirst().prefix { !$0.isWhitespace }
        let rest = String(line.dropFirst(word.count + 1).trimming())
        if let command = ownLine(word.lowercased(), rest) { return command }
        if extraWords.contains(word.lowercased()) { return .extra(word.lowercased(), rest) }
        guard let command = CommandWord(rawValue: word.lowercased()) ?? CommandWord.aliases[word.lowercased()] else {
            return .mistake(UnknownCommand(String(word), CommandWord.allCases.map(\.rawValue) + extraWords).description)
        }
        do {
            return .command(try parse(command, rest))
        } catch {
            return .mistake(error.description)
        }
    }

    /// `/edit` and `/delete` of a line; those of a post are commands of the extension.
    private static func ownLine(_ word: String, _ rest: String) -> ParsedLine? {
        guard word == "edit" || word == "delete", LineTarget.isOfLine(rest) else { return nil }
        let first = rest.prefix { !$0.isWhitespace }
        let target = LineTarget(first)
        let text = target == nil ? rest : String(rest.dropFirst(first.count).trimming())
        if word == "edit" {
            guard !text.isEmpty else {
                return .mistake("/edit needs the new text: /edit TEXT for your last line, or /edit N TEXT.")
            }
            return .command(.editLine(target ?? .last, text))
        }
        guard target == nil ? rest.isEmpty : text.isEmpty else {
            return .mistake("/delete takes the number of a line, which /lines shows; alone it deletes your last line.")
        }
        return .command(.deleteLine(target ?? .last))
    }

    /// Parses a paste of several lines: all of it is text, even lines that begin with a slash.
    package static func parse(pasted text: String) -> ParsedLine {
        guard text.contains(where: { !$0.isWhitespace }) else { return .nothing }
        let holdsKey = text.split(whereSeparator: \.isNewline).contains { SecretLine.holdsKey(String($0)) }
        return holdsKey ? .mistake(secretMistake) : .say(text)
    }

    private struct Mistake: Error {
        let description: String
    }

    private static func parse(_ word: CommandWord, _ rest: String) throws(Mistake) -> SlashCommand {
        switch word {
        case .help: return .help(rest.isEmpty ? nil : rest)
        case .nick: return .nick(try name(rest, word))
        case .me: return .me(try needed(rest, word))
        case .join: return try join(try needed(rest, word))
        case .create: return .create(try room(try needed(rest, word)))
        case .forget: return .forget(try room(try needed(rest, word)))
        case .key: return .key(rest.isEmpty ? nil : try room(rest))
        case .members: return .members(rest.isEmpty ? nil : try room(rest))
        case .invite:
            let (name, wanted) = try nameAndRoom(try needed(rest, word))
            return .invite(name, wanted)
        case .remove:
            let (name, wanted) = try nameAndRoom(try needed(rest, word))
            return .remove(name, wanted)
        case .part: return .part(rest.isEmpty ? nil : try room(rest))
        case .names: return .names(rest.isEmpty ? nil : try room(rest))
        case .history: return try history(rest)
        case .sync: return try sync(rest)
        case .msg: return .tell(try needed(rest, word))
        case .query: return .query(rest.isEmpty ? nil : rest)
        case .conversations: return .conversations
        case .reply: return .reply(try needed(rest, word))
        case .urgent: return .urgent(try needed(rest, word))
        case .react: return .react(try needed(rest, word))
        case .pin: return .pin(rest.isEmpty ? nil : rest)
        case .unpin: return .unpin
        case .away: return .away(rest)
        case .back: return .back
        case .lines: return .lines
        case .next: return .next
        case .rooms: return .rooms
        case .peers: return .peers
        case .whois: return .whois(try needed(rest, word))
        case .ping: return .ping(try needed(rest, word))
        case .trace: return .trace(try needed(rest, word))
        case .ignore: return .ignore(rest.isEmpty ? nil : rest)
        case .unignore: return .unignore(try needed(rest, word))
        case .connect: return .connect(try needed(rest, word))
        case .accept: return .accept(try needed(rest, word))
        case .refuse: return .refuse(try needed(rest, word))
        case .stats: return .stats
        case .clear: return .clear
        case .quit: return .quit
        case .send: return .file("share \(try needed(rest, word))")
        case .get: return .file(rest.isEmpty ? "get" : "get \(rest)")
        case .open: return .file(rest.isEmpty ? "open" : "open \(rest)")
        case .files: return .file("list")
        }
    }

    private static func needed(_ rest: String, _ word: CommandWord) throws(Mistake) -> String {
        guard !rest.isEmpty else { throw Mistake(description: "/\(word.rawValue) needs more. Type \(word.usage).") }
        return rest
    }

    private static func name(_ rest: String, _ word: CommandWord) throws(Mistake) -> PeerName {
        do {
            return try PeerName(try needed(rest, word))
        } catch let error as NameError {
            throw Mistake(description: error.description)
        } catch let error as Mistake {
            throw error
        } catch {
            throw Mistake(description: "\(error)")
        }
    }

    /// Takes a number of lines, a room, or both.
    private static func history(_ rest: String) throws(Mistake) -> SlashCommand {
        var (wanted, count): (RoomName?, Int?) = (nil, nil)
        for word in rest.split(whereSeparator: \.isWhitespace) {
            // A negative number is a mistake, though `#-3` could be a room.
            if count == nil, word.drop(while: { $0 == "-" }).allSatisfy({ $0.isASCII && $0.isNumber }) {
                guard let number = Int(word), (1...HistoryQuery.limitMax).contains(number) else {
                    throw Mistake(description: "/history shows 1 to 10,000 messages; for example /history 200.")
                }
                count = number
            } else if wanted == nil {
                wanted = try room(String(word))
            } else {
                throw Mistake(description: "/history takes a room and a number; for example /history #park 200.")
            }
        }
        return .history(wanted, count)
    }

    /// Everything after the room is its key, blanks included.
    private static func join(_ rest: String) throws(Mistake) -> SlashCommand {
        let name = rest.prefix { !$0.isWhitespace }
        let key = rest.dropFirst(name.count).trimming()
        let wanted = try room(String(name))
        return key.isEmpty ? .join(wanted) : .joinPrivate(wanted, TypedKey(String(key)))
    }

    /// A name may contain blanks; the last word is the room if it begins with `#`.
    private static func nameAndRoom(_ rest: String) throws(Mistake) -> (String, RoomName?) {
        let last = String(rest.reversed().prefix { !$0.isWhitespace }.reversed())
        guard last.hasPrefix("#"), last.count < rest.count else { return (Conversation.unquoted(rest), nil) }
        let name = String(rest.dropLast(last.count).trimming())
        return (Conversation.unquoted(name), try room(last))
    }

    private static func sync(_ rest: String) throws(Mistake) -> SlashCommand {
        switch rest.lowercased() {
        case "", "now": return .sync
        case "status": return .syncStatus
        default:
            throw Mistake(
                description: "Type /sync to fetch what you are missing, or /sync status to see how far you are.")
        }
    }

    /// Adds a missing `#`.
    private static func room(_ text: String) throws(Mistake) -> RoomName {
        do {
            return try RoomName(text.hasPrefix("#") ? text : "#\(text)")
        } catch {
            throw Mistake(description: error.description)
        }
    }
}

extension StringProtocol {
    func trimming() -> SubSequence {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
        return self[start..<Swift.max(start, end)]
    }
}
