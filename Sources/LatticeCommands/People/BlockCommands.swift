import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore

struct BlockCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "block [PEER | list | add PEER | remove PEER | export FILE | import FILE]",
        "Block somebody, or list the people you block.",
        discussion: """
            You block a key, under any name. Its records are removed here, links with it end, and nothing from it is accepted \
            or relayed. To hide somebody but still relay their messages: /ignore in a chat.
            """,
        examples: ["block bob#rrxy", "block", "block export blocked.txt", "block import blocked.txt"])
    static let configuration = manual.configuration(
        subcommands: [
            BlockAddCommand.self, BlockListCommand.self, BlockRemoveCommand.self, BlockExportCommand.self,
            BlockImportCommand.self,
        ],
        default: BlockAddCommand.self)
}

struct BlockAddCommand: SharedCommand {
    static let manual = CommandManual(
        "block add [PEER]", "Block somebody; without a name, list the people you block.",
        examples: ["block add bob#rrxy"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        guard let peer else { return try await BlockListCommand.list(on: node, context) }
        return try await KnownPages.block(peer, true, on: node)
    }
}

struct BlockListCommand: SharedCommand {
    static let manual = CommandManual("block list", "List the people you block.", examples: ["block list"])

    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        try await Self.list(on: node, context)
    }

    static func list(on node: any MeshNode, _ context: CommandContext) async throws -> CommandOutput {
        let people = try await node.perform(ListKnownPeople()).people.filter { $0.blocked != nil }
        guard !people.isEmpty else { return .none("you block nobody") }
        return CommandOutput(
            KnownLines.list(people, context), objects: people.map(KnownJSON.object))
    }
}

struct BlockRemoveCommand: SharedCommand {
    static let manual = CommandManual(
        "block remove PEER", "Unblock somebody.", examples: ["block remove bob#rrxy"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        try await KnownPages.block(peer, false, on: node)
    }
}

struct UnblockCommand: SharedCommand {
    static let manual = CommandManual("unblock PEER", "Unblock somebody.", examples: ["unblock bob#rrxy"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        try await KnownPages.block(peer, false, on: node)
    }
}

struct BlockExportCommand: SharedCommand {
    static let manual = CommandManual(
        "block export [FILE]", "Write your block list to a file, for others to import.",
        discussion:
            "One line each: the id, the name, and the date after a '#'. Without a file, or with '-', it is printed.",
        examples: ["block export blocked.txt"])

    @Argument(help: "The file to write.") var file: String?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let people = try await node.perform(ListKnownPeople()).people.filter { $0.blocked != nil }
        let objects = people.map(KnownJSON.object)
        guard let file, file != "-" else {
            guard !options.json else { return CommandOutput([], objects: objects) }
            var output = CommandOutput([])
            if context.isChat {
                output.lines = BlockList.text(people).split(separator: "\n").map { DisplayText.safe(String($0)) }
            } else {
                output.document = BlockList.text(people)
            }
            return output
        }
        try OutputFile.write(BlockList.text(people), to: context.path(file))
        return CommandOutput([], remarks: ["\(people.count) written to \(file)"], objects: objects)
    }
}

struct BlockImportCommand: SharedCommand {
    static let manual = CommandManual(
        "block import FILE", "Block everybody on a list.",
        discussion: """
            One person per line: an id of 64 hexadecimal digits, and a name if you like; '#' begins a comment. '-' reads \
            standard input. Valid lines are applied; invalid ones are listed, and the command exits with code 1.
            """,
        examples: ["block import blocked.txt"])

    @Argument(help: "The file to read.") var file: String
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        guard !(file == "-" && context.isChat) else {
            throw CommandFailure.usage("a chat cannot read standard input; give a file")
        }
        let path = file == "-" ? nil : context.path(file)
        let list = BlockList(parsing: try InputText.read(path, bytesMax: BlockList.bytesMax))
        let blocked = try await node.perform(BlockPeople(list.entries))
        let (new, hasSelf) = (blocked.new, blocked.hasSelf)
        let known = list.entries.count - new - (hasSelf ? 1 : 0)
        var output = CommandOutput(
            ["\(new) newly blocked, \(known) blocked before"],
            objects: [KnownJSON.imported(new: new, known: known, wrongLines: list.wrongLines)])
        if hasSelf { output.remarks.append("your own id is on the list; it was skipped") }
        if list.repeated > 0 {
            output.remarks.append("\(list.repeated) \(list.repeated == 1 ? "id is" : "ids are") listed more than once")
        }
        output.failure = Self.failure(list.wrongLines)
        return output
    }

    private static func failure(_ wrong: [Int]) -> CommandFailure? {
        guard !wrong.isEmpty else { return nil }
        let shown = wrong.prefix(20).map(String.init).joined(separator: ", ") + (wrong.count > 20 ? ", …" : "")
        return CommandFailure(
            code: "wrongLines",
            "\(wrong.count == 1 ? "line" : "lines") \(shown): not an id of 64 hexadecimal digits, as 'lattice id' prints it; "
                + "the other lines were applied",
            exitCode: 1)
    }
}
