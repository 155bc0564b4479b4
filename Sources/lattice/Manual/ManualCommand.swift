import ArgumentParser
import Glibc
import LatticeCommands
import LatticeCore
import LatticeGuide
import LatticeHost
import LatticeSettings

struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write all manual pages into a folder.", shouldDisplay: false)

    @Argument(help: "An existing folder.") var folder: String

    func run() throws {
        for page in try Self.pages() { try write(page) }
    }

    static func pages() throws -> [ManualPage] {
        let groups = Lattice.configuration.groupedSubcommands.map { group in
            (name: group.name, commands: group.subcommands.compactMap { $0.configuration.commandName })
        }
        return ManualPage.all(
            try CommandTree.ofProgram(), common: try CommandTree.ofCommonOptions(), version: ProgramVersion.program,
            articles: Guide.articles, groups: groups, commonTitle: CommonOptions.title, usage: usage)
    }

    private static func usage(_ words: [String]) -> String {
        var type: any ParsableCommand.Type = Lattice.self
        for word in words {
            type = type.configuration.subcommands.first { $0.configuration.commandName == word } ?? type
        }
        return Lattice.usageString(for: type)
    }

    // Safety: the text is lent to fwrite(3) for the length of the call, with its true size.
    private func write(_ page: ManualPage) throws(Failure) {
        let path = "\(folder)/\(page.fileName)"
        guard let file = fopen(path, "we") else { throw Failure(.failed, "cannot write \(path): \(SystemFault())") }
        let bytes = Array(page.text.utf8)
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else {
            throw Failure(.failed, "cannot write \(path): \(SystemFault())")
        }
    }
}
