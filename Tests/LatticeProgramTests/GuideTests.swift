import Foundation
import LatticeChat
import LatticeSettings
import Testing

@testable import LatticeCommands
@testable import LatticeGuide
@testable import lattice

/// README, the guide and the program name the same commands and options.
@Suite struct GuideTests {
    /// Asked once: the parser takes seconds to tell.
    private static let program = Result { try CommandTree.ofProgram() }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let folder = "Sources/lattice/lattice.docc"

    /// The lines of README and of all articles, by path.
    private static let pages: [String: [String]] = {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: path(folder)).filter { $0.hasSuffix(".md") }
            return Dictionary(
                uniqueKeysWithValues: try (["README.md"] + names.map { "\(folder)/\($0)" }).map { name in
                    let text = try String(contentsOfFile: path(name), encoding: .utf8)
                    return (name, text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
                })
        } catch {
            preconditionFailure("the guide cannot be read: \(error)")
        }
    }()

    private static func path(_ name: String) -> String { root.appending(path: name).path(percentEncoded: false) }

    private static let lines: [String] = pages.sorted { $0.key < $1.key }.flatMap(\.value)

    private static func article(_ name: String) -> [String] { pages["\(folder)/\(name).md"] ?? [] }

    /// From a heading to the next of its level.
    private static func section(_ heading: String, of name: String) -> [String] {
        Array(article(name).drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") })
    }

    @Test func everyPageHasAtMost200Lines() {
        #expect(Self.pages.count >= 19, "the pages were not read")
        for (name, lines) in Self.pages {
            #expect(lines.count <= 201, "\(name) has \(lines.count - 1) lines")
            #expect(lines.first?.hasPrefix("# ") == true, "\(name) begins with a heading")
        }
    }

    /// The target of each link, where it is a file: the fragment after `#` is a heading of that file.
    @Test func everyLinkLeadsToAFileThatExists() throws {
        var links = 0
        for (name, lines) in Self.pages {
            for line in lines {
                for match in line.matches(of: /\]\(([^)]+)\)/) where !match.1.hasPrefix("https://") {
                    links += 1
                    let target = match.1.prefix { $0 != "#" }
                    let folder = Self.root.appending(path: name).deletingLastPathComponent()
                    let file = folder.appending(path: String(target)).standardizedFileURL.path(percentEncoded: false)
                    #expect(FileManager.default.fileExists(atPath: file), "\(name): \(match.1)")
                }
            }
        }
        #expect(links > 60, "the links were not read")
    }

    /// `tools/transcripts` plays what a comment ties to a scene.
    @Test func everySessionIsTiedToAScene() {
        var sessions = 0
        for (name, lines) in Self.pages {
            var isTied = false
            var isFenced = false
            for (index, line) in lines.enumerated() {
                if line.hasPrefix("```") {
                    isFenced.toggle()
                    isTied = isFenced && index > 0 && lines[index - 1].hasPrefix("<!-- scene: ")
                } else if isFenced, line.hasPrefix("$ ") || line.hasPrefix("#lobby>") {
                    sessions += 1
                    #expect(isTied, "\(name):\(index + 1): \(line)")
                }
            }
        }
        #expect(sessions > 5, "the sessions were not read")
    }

    @Test func theProgramHoldsEveryArticleAndTheLandingPageListsIt() {
        let files = Set(Self.pages.keys.compactMap { $0.hasPrefix(Self.folder) ? $0.split(separator: "/").last : nil })
        #expect(files == Set(Guide.embedded.map { "\($0.fileName).md" }), "run tools/guide")
        #expect(Set(Guide.articles.map(\.fileName)) == Set(Guide.embedded.map(\.fileName)).subtracting(["lattice"]))
        for name in Guide.articles.map(\.fileName) { #expect(!Self.article(name).isEmpty, "\(name)") }
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

    @Test func everyCallInThePagesIsOneThatTheProgramKnows() throws {
        let program = try Self.program.get()
        var calls = 0
        for code in Self.code(in: Self.lines) {
            for match in code.matches(of: #/(?:^(?:\$ )?(?:[A-Z_]+=\S+ )?|[|(] ?)(?:tools/)?lattice ([a-z]+.*)/#)
            where !match.1.hasPrefix("help") {
                calls += 1
                #expect(Self.faults(in: match.1, of: program) == [], "\(code)")
            }
        }
        #expect(calls > 40, "the pages were not read")
    }

    @Test func everyRowOfCommandsIsOneThatTheProgramKnows() throws {
        let program = try Self.program.get()
        let slashed = Set(Self.chatWords)
        let tables = [
            ("Commands", "Chat"), ("Commands", "Posts"), ("Start and stop", "Service"), ("In the shell", "Private"),
            ("Contacts, blocking, ignoring", "People"), ("Commands", "Storage"),
        ]
        for (section, name) in tables {
            let rows = Self.rows(in: Self.section(section, of: name)).dropFirst()
            #expect(rows.count > 1, "\(section) of \(name)")
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

    @Test func everyCommandStandsInThePages() throws {
        let words = Self.code(in: Self.lines).flatMap { $0.split { !($0.isLetter || $0 == "-" || $0 == "/") } }
        let named = Set(words.map { $0.hasPrefix("/") ? String($0.dropFirst()) : String($0) })
        for command in try Self.program.get().parts {
            let isNamed = named.contains(command.commandName)
            #expect(isNamed, "no page names 'lattice \(command.commandName)'")
        }
        for word in Self.chatWords {
            let top = word.prefix { $0 != " " }
            let isNamed = named.contains(String(top))
            #expect(isNamed, "no page names /\(top)")
        }
    }

    @Test func theOptionsOfChatAreThoseOfTheTable() throws {
        let chat = try #require(try Self.program.get().parts.first { $0.commandName == "chat" })
        let shown = (chat.arguments ?? []).filter { $0.shouldDisplay && $0.kind != "positional" }
        let known = Set(shown.flatMap { $0.names ?? [] }.map(\.text)).subtracting(["--help", "-h", "--version"])
        let rows = Self.rows(in: Self.section("Options of `chat`", of: "Chat")).dropFirst()
        let named = Self.code(in: rows.compactMap(\.first)).map { String($0.prefix { $0 != " " }) }
        #expect(known.symmetricDifference(named) == [])
        #expect(named.count == known.count, "each stands once")
        // For the port it says in words that any will do.
        for option in shown where option.defaultValue != nil && option.valueName != "port" {
            let name = try #require(option.names?.first?.text)
            let row = try #require(
                rows.first { $0.first?.contains("`\(name)") == true && $0.first?.contains("`\(name)-") == false })
            #expect(row.last?.contains(option.defaultValue ?? "") == true, "\(name): \(row)")
        }
    }

    @Test func everySettingStandsInTheGuide() {
        let named = Set(Self.code(in: Self.article("Settings")))
        for key in SettingKey.allCases where !key.rawValue.hasPrefix("irc.") {
            let isNamed = named.contains(key.rawValue)
            #expect(isNamed, "Settings.md does not name the setting '\(key.rawValue)'")
        }
    }

    /// Objects are written as literals, everywhere the same: `("event", .text("ready"))`.
    @Test func everyObjectOfJSONStandsInTheGuide() throws {
        let rows = Self.rows(in: Self.article("JSON"))
        let named = Set(Self.code(in: rows.compactMap(\.first)))
        var events: Set<String> = ["item"]
        for room in ["lattice", "LatticeChat", "LatticeSettings", "LatticeHost", "LatticeCommands"] {
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
