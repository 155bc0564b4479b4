import ArgumentParser
import LatticeChat
import Testing

@testable import LatticeGuide
@testable import lattice

/// `lattice help`, as it is asked for and as it is printed.
@Suite struct HelpTests {
    private static let wide = HelpScreen(columns: 80)

    private static var commands: [String] {
        Lattice.configuration.subcommands.filter { $0.configuration.shouldDisplay }.compactMap {
            $0.configuration.commandName
        }
    }

    @Test(arguments: [[], ["help"], ["--help"], ["-h"], ["help", "--help"]])
    func theFirstPageIsTheSameHoweverItIsAskedFor(words: [String]) {
        #expect(Help.question(in: words) == .first)
    }

    @Test(arguments: [
        (["help", "post"], Help.Question.command(["post"])), (["post", "--help"], .command(["post"])),
        (["store", "keep", "-h"], .command(["store", "keep"])),
        (["help", "store", "keep"], .command(["store", "keep"])),
        (["chat", "--name", "x", "--help"], .command(["chat"])), (["help", "all"], .all),
        (["help", "options"], .options),
        (["help", "chat"], .commandAndTopic("chat")), (["help", "posts"], .commandAndTopic("posts")),
        (["help", "people"], .topic("people")),
        (["help", "Getting-Started"], .topic("getting-started")),
        (["help", "rooms"], .command(["rooms"])), (["help", "/nick"], .chatCommand(.nick)),
        (["help", "whois"], .chatCommand(.whois)), (["help", "zzz"], .unknown("zzz")),
    ])
    func everyWordFindsItsPage(words: [String], question: Help.Question) {
        #expect(Help.question(in: words) == question)
    }

    /// What a command takes as its text is not a question, and what no command is called is refused elsewhere.
    @Test(arguments: [
        ["chat"], ["say", "lobby", "--", "--help"], ["send", "bob", "help"], ["chta", "--help"], ["--version"],
    ])
    func aCallIsNotAQuestion(words: [String]) {
        #expect(Help.question(in: words) == nil)
    }

    @Test func theFirstPageFitsATerminalAndNamesCommandsThatExist() {
        let lines = HelpPages.short(Self.wide)
        #expect(lines.count <= 25)
        let commands = Set(Self.commands)
        var named = 0
        for (term, _) in HelpPages.first.flatMap({ $0.rows }) {
            for word in term.split(whereSeparator: { $0 == " " || $0 == "," }).dropFirst() {
                named += 1
                #expect(commands.contains(String(word)), "there is no command \(word)")
            }
        }
        #expect(named >= 10)
    }

    @Test func helpAllNamesEveryCommandAndNoOther() {
        let lines = HelpPages.all(HelpScreen(columns: 100))
        let rows = lines.filter { $0.hasPrefix("  ") && $0.dropFirst(2).first != " " }
        let named = rows.compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "lattice" }
        #expect(named.sorted() == Self.commands.sorted())
        for group in Lattice.configuration.groupedSubcommands { #expect(lines.contains(group.name)) }
    }

    @Test func everyTopicIsPrintedAndListed() throws {
        let list = HelpPages.short(Self.wide).joined(separator: " ")
        #expect(Guide.topics.count >= 18)
        for topic in Guide.topics {
            #expect(list.contains(topic))
            let asked = try #require(Help.question(in: ["help", topic]))
            let article = try #require(Guide.article(topic))
            let lines = try #require(Help.lines(asked, Self.wide), "\(topic)")
            #expect(lines.contains(article.title.uppercased()), "\(topic)")
            #expect(lines.count > 20, "\(topic)")
        }
    }

    @Test func everyCommandPrintsItsPage() throws {
        for command in Self.commands {
            let lines = try #require(Help.lines(.command([command]), Self.wide))
            #expect(lines.contains { $0.contains("lattice \(command)") }, "\(command)")
        }
    }

    @Test func anUnknownWordIsAnsweredWithTheNearest() {
        #expect(Help.objection(to: "pots") == "there is no command or topic pots; did you mean post?")
        #expect(Help.objection(to: "troubleshoting").hasSuffix("did you mean troubleshooting?"))
        #expect(Help.objection(to: "zzzzzz") == "there is no command or topic zzzzzz")
    }
}
