import Foundation
import LatticeChat
import Testing

@testable import lattice

/// README and the program name the same commands and options.
@Suite struct ReadmeTests {
    /// Asked once: the parser takes seconds to tell.
    private static let program = Result { try CommandTree.ofProgram() }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let lines: [String] = {
        do {
            let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
            return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        } catch {
            preconditionFailure("README.md is not there: \(error)")
        }
    }()

    /// From a heading to the next of its level.
    private static func section(_ heading: String) -> [String] {
        Array(lines.drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") })
    }

    /// What stands between backticks in a line, or the whole line between fences.
    private static func code(in lines: [String]) -> [String] {
        var isFenced = false
        return lines.flatMap { line -> [String] in
            if line.hasPrefix("```") {
                isFenced.toggle()
                return []
            }
            if isFenced { return [line] }
            let parts = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            return parts.filter { $0.offset % 2 == 1 }.map { String($0.element).replacing("\\|", with: "|") }
        }
    }

    /// Rows of tables, their cells.
    private static func rows(in lines: [String]) -> [[String]] {
        lines.filter { $0.hasPrefix("| ") }.map { line in
            line.replacing("\\|", with: "\u{1}").split(separator: "|").map { cell in
                cell.replacing("\u{1}", with: "\\|").trimmingCharacters(in: .whitespaces)
            }
        }
    }

    private static func options(of command: CommandTree) -> Set<String> {
        let own = (command.arguments ?? []).flatMap { $0.names ?? [] }.map(\.text)
        return (command.subcommands ?? []).reduce(into: Set(own)) { $0.formUnion(options(of: $1)) }
    }

    /// What is wrong with a call, from the command's name on: each word up to a pipe or a remark counts.
    private static func faults(in call: Substring, of program: CommandTree) -> [String] {
        let end = call.firstRange(of: #/ \| |  +#|\)/#)?.lowerBound ?? call.endIndex
        let words = call[..<end].split { " []".contains($0) }
        guard let name = words.first, let command = program.subcommands?.first(where: { $0.commandName == name }) else {
            return ["there is no command '\(words.first ?? "")'"]
        }
        var faults: [String] = []
        let parts = Set((command.subcommands ?? []).map(\.commandName))
        if !parts.isEmpty, let next = words.dropFirst().first, next.allSatisfy({ $0.isLowercase || $0 == "|" }) {
            for part in next.split(separator: "|") where !parts.contains(String(part)) {
                faults.append("there is no command '\(name) \(part)'")
            }
        }
        let known = options(of: command)
        let named = words.dropFirst().flatMap { $0.split(separator: "|") }.filter {
            $0.wholeMatch(of: #/--?[a-z][a-z-]*/#) != nil
        }
        for option in named where !known.contains(String(option)) {
            faults.append("'\(name)' has no option \(option)")
        }
        return faults
    }

    @Test func everyCallInReadmeIsOneThatTheProgramKnows() throws {
        let program = try Self.program.get()
        var calls = 0
        for code in Self.code(in: Self.lines) {
            for match in code.matches(of: #/(?:^(?:\$ )?(?:[A-Z_]+=\S+ )?|[|(] ?)(?:tools/)?lattice ([a-z]+.*)/#) {
                calls += 1
                #expect(Self.faults(in: match.1, of: program) == [], "\(code)")
            }
        }
        #expect(calls > 40, "README was not read")
    }

    @Test func everyRowOfCommandsIsOneThatTheProgramKnows() throws {
        let program = try Self.program.get()
        let slashed = Set(Self.chatWords)
        for section in ["Chat", "Posts at places", "A node that runs on"] {
            let rows = Self.rows(in: Self.section(section)).dropFirst()
            #expect(rows.count > 2, "\(section)")
            for call in Self.code(in: rows.compactMap(\.first)) {
                if call.hasPrefix("/") {
                    let word = String(call.dropFirst().prefix { $0.isLetter })
                    let isKnown = slashed.contains(word)
                    #expect(isKnown, "there is no command /\(word)")
                } else {
                    #expect(Self.faults(in: call[...], of: program) == [], "\(call)")
                }
            }
        }
    }

    private static var chatWords: [String] {
        CommandWord.allCases.map(\.rawValue) + CommandWord.aliases.keys + SlashCommands().words + ["doctor"]
    }

    @Test func everyCommandStandsInReadme() throws {
        let words = Self.code(in: Self.lines).flatMap { $0.split { !($0.isLetter || $0 == "-" || $0 == "/") } }
        let named = Set(words.map { $0.hasPrefix("/") ? String($0.dropFirst()) : String($0) })
        for command in try Self.program.get().parts {
            let isNamed = named.contains(command.commandName)
            #expect(isNamed, "README says nothing of 'lattice \(command.commandName)'")
        }
        for word in Self.chatWords {
            let top = word.prefix { $0 != " " }
            let isNamed = named.contains(String(top))
            #expect(isNamed, "README says nothing of /\(top)")
        }
    }

    @Test func theOptionsOfChatAreThoseOfTheTable() throws {
        let chat = try #require(try Self.program.get().parts.first { $0.commandName == "chat" })
        let shown = (chat.arguments ?? []).filter { $0.shouldDisplay && $0.kind != "positional" }
        let known = Set(shown.flatMap { $0.names ?? [] }.map(\.text)).subtracting(["--help", "-h", "--version"])
        let rows = Self.rows(in: Self.section("Options of `chat`")).dropFirst()
        let named = Self.code(in: rows.compactMap(\.first)).map { String($0.prefix { $0 != " " }) }
        #expect(known.symmetricDifference(named) == [])
        #expect(named.count == known.count, "each stands once")
        // Of the port it says in words that any will do.
        for option in shown where option.defaultValue != nil && option.valueName != "port" {
            let name = try #require(option.names?.first?.text)
            let row = try #require(
                rows.first { $0.first?.contains("`\(name)") == true && $0.first?.contains("`\(name)-") == false })
            #expect(row.last?.contains(option.defaultValue ?? "") == true, "\(name): \(row)")
        }
    }

    @Test func everySettingStandsInReadme() {
        let named = Set(Self.code(in: Self.section("Settings")))
        for key in SettingKey.allCases where !key.rawValue.hasPrefix("irc.") {
            let isNamed = named.contains(key.rawValue)
            #expect(isNamed, "README says nothing of the setting '\(key.rawValue)'")
        }
    }

    /// Objects are written as literals, everywhere the same: `("event", .text("ready"))`.
    @Test func everyObjectOfJSONStandsInReadme() throws {
        let rows = Self.rows(in: Self.section("For programs"))
        let named = Set(Self.code(in: rows.compactMap(\.first)))
        var events: Set<String> = ["item"]
        for room in ["lattice", "LatticeChat"] {
            let folder = Self.root.appending(path: "Sources/\(room)").path(percentEncoded: false)
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                events.formUnion(text.matches(of: /"event", \.text\("(\w+)"\)/).map { String($0.1) })
            }
        }
        #expect(events.count > 30, "the sources were not read")
        #expect(events.subtracting(named) == [])
    }

    // MARK: the check is checked

    @Test(arguments: [
        ("chat --nmae x", 1), ("chta", 1), ("store keep --days 30", 0), ("store kept", 1), ("passphrase set|remove", 0),
        ("chat --name x --json     # --what is said", 0), ("say -", 0), ("messages bob -n 200", 0),
        ("messages -z 3", 1),
    ])
    func aWrongCallIsFound(call: String, faults: Int) throws {
        #expect(Self.faults(in: call[...], of: try Self.program.get()).count == faults)
    }
}
