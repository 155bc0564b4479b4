import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

struct DraftsCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "drafts [show N | publish [N…] | edit N TEXT… | delete N… | import FILE]",
        "List the posts that you have written and not published, or publish them.",
        discussion: """
            'post --draft' keeps a post on this machine, with the place and the time of when you wrote it. Nobody gets it until you \
            publish it.
            """,
        examples: ["drafts", "drafts publish", "drafts publish 2 3", "drafts import hike.gpx"])
    static let configuration = manual.configuration(
        subcommands: [
            DraftsListCommand.self, DraftsShowCommand.self, DraftsPublishCommand.self, DraftsEditCommand.self,
            DraftsDeleteCommand.self, DraftsImportCommand.self,
        ],
        default: DraftsListCommand.self)
}

struct DraftsListCommand: SharedCommand {
    static let manual = CommandManual(
        "drafts list", "List your drafts in the order in which you wrote them.", examples: ["drafts list"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let drafts = try await node.perform(ListDrafts()).drafts
        guard !drafts.isEmpty else { return DraftPages.none(context) }
        return CommandOutput(DraftLines.list(drafts, context), objects: drafts.map { PostJSON.object($0) })
    }
}

struct DraftsShowCommand: SharedCommand {
    static let manual = CommandManual(
        "drafts show N", "Show a draft with everything about it.", examples: ["drafts show 2"])

    @Argument(help: "The number of the draft, as 'drafts' lists it.", transform: Arguments.draft) var number: Int
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let drafts = try await node.perform(ListDrafts()).drafts
        guard let draft = drafts.first(where: { $0.number == number }) else {
            throw RequestError.unknownDraft(number: number)
        }
        return CommandOutput(DraftLines.detail(draft, context), objects: [PostJSON.object(draft)])
    }
}

struct DraftsPublishCommand: SharedCommand {
    static let manual = CommandManual(
        "drafts publish [N…]", "Publish drafts; without numbers all of them, in the order in which you wrote them.",
        discussion: "Each post says how much earlier it was written. A draft that cannot be published stays.",
        examples: ["drafts publish", "drafts publish 2 3"])

    @Argument(help: "The numbers of the drafts. (default: all)", transform: Arguments.draft) var numbers: [Int] = []
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let published = try await node.perform(PublishDrafts(numbers.isEmpty ? nil : numbers))
        guard !published.items.isEmpty || !published.failed.isEmpty else { return DraftPages.none(context) }
        var output = CommandOutput([])
        for item in published.items {
            let done = ManualPages.done("posted", item, context)
            output.lines += done.lines
            output.objects += done.objects
        }
        output.failure = DraftPages.failure(published.failed)
        return output
    }
}

struct DraftsEditCommand: SharedCommand {
    static let wordsBeforeText: Int? = 1
    static let manual = CommandManual(
        "drafts edit N TEXT…", "Put other words into a draft.",
        discussion: "The place and the time of when it was written stay.",
        examples: ["drafts edit 2 Water at the gate, until nine"])

    @Argument(help: "The number of the draft, as 'drafts' lists it.", transform: Arguments.draft) var number: Int
    @Argument(help: "The new text; in the shell '-' reads it from standard input.") var text: [String]
    @OptionGroup var options: TextOptions

    var handsOver: Bool { false }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let draft = try await node.perform(EditDraft(number, text: try TextInput.text(text, context)))
        return CommandOutput(["changed draft \(draft.number)"], objects: [PostJSON.object(draft)])
    }
}

struct DraftsDeleteCommand: SharedCommand {
    static let manual = CommandManual(
        "drafts delete N…", "Delete drafts.", discussion: "If one of the numbers is wrong, nothing is deleted.",
        examples: ["drafts delete 2"])

    @Argument(help: "The numbers of the drafts, as 'drafts' lists them.", transform: Arguments.draft) var numbers: [Int]
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        _ = try await node.perform(DeleteDrafts(numbers))
        let deleted = Set(numbers).sorted()
        let object = JSONLine([
            ("event", .text("drafts_deleted")), ("numbers", .list(deleted.map { .integer($0) })),
        ])
        return CommandOutput(
            ["deleted \(deleted.count == 1 ? "draft" : "drafts") \(deleted.map(String.init).joined(separator: ", "))"],
            objects: [object])
    }
}

struct DraftsImportCommand: SharedCommand {
    static let manual = CommandManual(
        "drafts import FILE", "Make drafts of the waypoints in a GPX file, or of the points in a GeoJSON file.",
        discussion: """
            The name and the description of a point become the words, and its time that of the draft. At most 500 points and 16 MiB; \
            if anything is wrong in the file, nothing is imported.
            """,
        examples: ["drafts import hike.gpx", "drafts import points.geojson"])

    @Argument(help: "The file; in the shell '-' reads it from standard input.") var file: String
    @OptionGroup var options: ReadingOptions

    var needsFiles: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        guard file != "-" || !context.isChat else { throw CommandFailure.usage("give a file to read", field: "file") }
        let path = file == "-" ? "/dev/stdin" : context.path(file)
        let imported = try await node.perform(ImportDrafts(path: path))
        let numbers = imported.drafts.map(\.number)
        var words = "imported \(ItemPhrases.counted(numbers.count, "draft"))"
        if let first = numbers.first, let last = numbers.last {
            words += first == last ? " (number \(first))" : " (numbers \(first) to \(last))"
        }
        if imported.others > 0 {
            words +=
                "; left out \(ItemPhrases.counted(imported.others, "track, line or area", "tracks, lines or areas"))"
        }
        let object = JSONLine([
            ("event", .text("drafts_imported")), ("numbers", .list(numbers.map { .integer($0) })),
            ("others", .integer(imported.others)),
        ])
        return CommandOutput([words], objects: [object])
    }
}

extension Arguments {
    static func draft(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else {
            throw ValidationError("'\(DisplayText.safe(text))' is not the number of a draft; 'drafts' lists them")
        }
        return number
    }
}

/// Answers about drafts.
enum DraftPages {
    private static let failuresShownMax = 5

    static func none(_ context: CommandContext) -> CommandOutput {
        .none("you have no drafts; keep one with \(context.call("post TEXT --draft"))")
    }

    static func kept(_ draft: DraftInfo, _ context: CommandContext) -> CommandOutput {
        CommandOutput(
            ["kept draft \(draft.number)"],
            remarks: ["Nobody sees it before you publish it: \(context.call("drafts publish \(draft.number)"))"],
            objects: [PostJSON.object(draft)])
    }

    /// - Returns: `nil` if all were published.
    static func failure(_ failed: [PublishDrafts.Failed]) -> CommandFailure? {
        guard let first = failed.first else { return nil }
        let shown = failed.prefix(failuresShownMax).map { "draft \($0.number) stays: \($0.error.words)" }
        let more = failed.count > failuresShownMax ? ["\(failed.count - failuresShownMax) more drafts stay"] : []
        return CommandFailure(code: first.error.code.rawValue, (shown + more).joined(separator: "; "))
    }
}
