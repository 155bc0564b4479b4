import ArgumentParser
import Testing

@testable import LatticeCommands
@testable import LatticeGuide
@testable import lattice

/// The options that most commands share, and the help of the commands.
struct CommonOptionsTests {
    private func help(_ type: any ParsableCommand.Type) -> [String] {
        CommonOptions.below(Lattice.helpMessage(for: type, columns: 80)).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .map(String.init)
    }

    @Test func theHelpOfPostFitsAScreen() {
        let lines = help(PostCommand.self)
        #expect(lines.count <= 27, "26 lines and the end of the last one: \(lines.joined(separator: "\n"))")
        #expect(lines.contains(CommonOptions.hint))
        #expect(lines.contains { $0.contains("--expires <time>") } && lines.contains { $0.contains("--json") })
    }

    @Test func noHelpRepeatsTheCommonOptions() throws {
        for command in try CommandTree.ofProgram().parts {
            for part in command.parts.isEmpty ? [command] : command.parts {
                let common = (part.arguments ?? []).filter { $0.sectionTitle == CommonOptions.title }
                guard !common.isEmpty else { continue }
                let type = try #require(Self.type(command.commandName, part.commandName))
                let lines = help(type)
                #expect(lines.contains(CommonOptions.hint), "\(part.commandName)")
                for name in common.compactMap({ $0.names?.first?.text }) {
                    #expect(!lines.contains { $0.hasPrefix("  \(name) ") }, "\(part.commandName) \(name)")
                }
            }
        }
    }

    @Test func aNarrowHelpLeavesNoRestOfAnOptionThatItDoesNotShow() {
        let help = CommonOptions.below(Lattice.helpMessage(for: LikeCommand.self, columns: 40))
        #expect(help.contains("--wait") && !help.contains("--version"))
        #expect(!help.contains("version.") && !help.contains("information."), "\(help)")
    }

    @Test func thePageExplainsEveryCommonOption() throws {
        let page = CommonOptions.page
        let all = try CommandTree.ofProgram().parts.flatMap { [$0] + $0.parts }
        let common = all.flatMap { $0.arguments ?? [] }.filter { $0.sectionTitle == CommonOptions.title }
        let names = Set(common.compactMap { $0.names?.first?.text })
        #expect(names.isSuperset(of: ["--name", "--mesh", "--passphrase-file", "--log", "--text-max"]))
        for name in names.sorted() { #expect(page.contains("  \(name) "), "\(name)") }
    }

    @Test func aCommandWithoutCommonOptionsPointsNowhere() {
        #expect(!help(ConfigPathCommand.self).contains(CommonOptions.hint))
    }

    private static func type(_ command: String, _ part: String) -> (any ParsableCommand.Type)? {
        let types = Lattice.configuration.subcommands
        guard let type = types.first(where: { $0.configuration.commandName == command }) else { return nil }
        return command == part ? type : type.configuration.subcommands.first { $0.configuration.commandName == part }
    }
}
