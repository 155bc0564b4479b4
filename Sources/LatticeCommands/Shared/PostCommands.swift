import ArgumentParser
import Glibc
import LatticeAPI
package import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeSettings

struct PostCommand: SharedCommand {
    static let wordsBeforeText: Int? = 0
    static let flags: Set<String> = ["--draft", "--original", "--urgent"]
    static let manual = CommandManual(
        "post TEXT… [--at PLACE] [--name-place NAME] [--expires 7d] [--blur N] [--unlock 50m] [--urgent] [--photo FILE [--alt TEXT] [--original]] [--draft]",
        "Leave a message at a place, for people within the radius.",
        examples: [
            "post Water at the gate --at 40.7128,-74.0060 --expires 2d"
        ])

    @Argument(help: "At most 140 characters; '-' reads standard input.")
    var text: [String]

    @Option(
        help: ArgumentHelp(
            "Coordinates, geohash or a name. (default: your place)", valueName: "place"),
        transform: Arguments.spot)
    var at: Spot?

    @Option(help: ArgumentHelp("A name for the place.", valueName: "name"))
    var namePlace: String?

    @Option(
        help: ArgumentHelp("How long it lasts, such as 12h or 7d. (default: 30d)", valueName: "time"),
        transform: Arguments.lifetime)
    var expires: Duration?

    @Option(
        help: ArgumentHelp("Blur the place, 1 to 12: 7 is 150 m, 6 is 1 km.", valueName: "n"),
        transform: Arguments.blur)
    var blur: Int?

    @Option(
        help: ArgumentHelp("Only those within this distance can read it: a game.", valueName: "distance"),
        transform: Arguments.radius)
    var unlock: Double?

    @Flag(help: "Goes first and stays in sight; three in 24 hours.") var urgent = false
    @Flag(help: "Keep it on this machine until 'drafts publish'.") var draft = false

    @OptionGroup var photo: PhotoOptions
    @OptionGroup var original: OriginalOptions
    @OptionGroup var options: TextOptions

    func validate() throws {
        try photo.checkNew()
        try original.check(photo)
        guard !draft || !original.original else {
            throw ValidationError(
                "a draft keeps only the photo, not the original; leave out --original, or post without --draft")
        }
    }

    var handsOver: Bool { !draft }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let spot = try await at?.resolved(on: node)
        let post = NewPost(
            text: try TextInput.text(text, context), at: spot?.coordinate, placeName: namePlace ?? spot?.place?.title,
            lifetime: expires, blur: blur ?? spot?.geohashCharacters, isUrgent: urgent,
            photo: photo.source(context, original: original.original), alt: photo.alt, atPlace: spot?.place?.id,
            unlockMetres: unlock.map { Int($0.rounded()) })
        if draft { return DraftPages.kept(try await node.perform(KeepDraft(post)), context) }
        let item = try await node.perform(post)
        var output = ManualPages.done("posted", item, context)
        if urgent, !item.isUrgent { output.remarks.append(UrgentPhrases.asUsual) }
        return output
    }
}

struct CommentCommand: SharedCommand {
    static let wordsBeforeText: Int? = 1
    static let manual = CommandManual(
        "comment ID TEXT…", "Comment on a post or an event.",
        discussion: "ID is the short id shown in lists.",
        examples: ["comment a1b2c3 The tap is on the left"])

    @Argument(help: "The id of a post or an event.") var id: String
    @Argument(help: "The text; in the shell '-' reads it from standard input.") var text: [String]
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let text = try TextInput.text(text, context)
        return ManualPages.done(
            "commented", try await node.perform(NewComment(on: ItemReference(id), text: text)), context)
    }
}

struct EditCommand: SharedCommand {
    static let wordsBeforeText: Int? = 1
    static let flags: Set<String> = ["--no-photo", "--original"]
    static let manual = CommandManual(
        "edit ID [TEXT…] [--photo FILE [--alt TEXT] [--original] | --no-photo]", "Edit your post, comment or event.",
        discussion:
            "Everybody sees that it was edited. For an event this changes the description; 'event edit' changes the rest. "
            + "Without a text only the photo changes.",
        examples: ["edit a1b2c3 Water at the gate, until nine", "edit a1b2c3 --photo gate.jpg --alt \"The gate\""])

    @Argument(help: "The id of your post, comment or event.") var id: String
    @Argument(help: "The new text; in the shell '-' reads it from standard input.") var text: [String] = []
    @OptionGroup var photo: PhotoOptions
    @OptionGroup var original: OriginalOptions
    @Flag(help: "Remove the photo.") var noPhoto = false
    @OptionGroup var options: TextOptions

    func validate() throws {
        guard !text.isEmpty || photo.photo != nil || photo.alt != nil || noPhoto else {
            throw ValidationError("nothing to change; give a text, --photo, --alt or --no-photo")
        }
        guard !noPhoto || photo.photo == nil && photo.alt == nil else {
            throw ValidationError("use --photo or --no-photo, not both")
        }
        try original.check(photo)
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let words = text.isEmpty ? nil : try TextInput.text(text, context)
        let change: PhotoChange? =
            noPhoto ? .remove : photo.source(context, original: original.original).map { .new($0) }
        let edit = EditItem(ItemReference(id), text: words, photo: change, alt: photo.alt)
        return ManualPages.done("edited", try await node.perform(edit), context)
    }
}

struct DeleteCommand: SharedCommand {
    static let manual = CommandManual(
        "delete ID", "Delete your post, comment or event, or a comment on it.",
        discussion:
            "Comments by others stay and show that the author deleted it. Copies that somebody made cannot be deleted.",
        examples: ["delete a1b2c3"])

    @Argument(help: "The id of your post, comment or event, or of a comment on it.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let old = try await node.perform(ShowItem(ItemReference(id))).item
        guard old.state == .shown || old.state == .tooFar else {
            return CommandOutput(["it was already deleted"], objects: [PostJSON.object("item", old)])
        }
        return ManualPages.done("deleted", try await node.perform(DeleteItem(ItemReference(id))), context)
    }
}

struct LikeCommand: SharedCommand {
    static let manual = CommandManual(
        "like ID", "Like a post, a comment or an event.", discussion: "Repeating it changes nothing.",
        examples: ["like a1b2c3"])

    @Argument(help: "The id of a post, comment or event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        ManualPages.done("you like", try await node.perform(LikeItem(ItemReference(id), true)), context)
    }
}

struct UnlikeCommand: SharedCommand {
    static let manual = CommandManual("unlike ID", "Remove your like.", examples: ["unlike a1b2c3"])

    @Argument(help: "The id of a post, comment or event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let old = try await node.perform(ShowItem(ItemReference(id))).item
        guard old.isLikedByMe else {
            return CommandOutput(["you did not like it"], objects: [PostJSON.object("item", old)])
        }
        return ManualPages.done(
            "you no longer like", try await node.perform(LikeItem(ItemReference(id), false)), context)
    }
}

/// The text to send, from arguments or standard input.
package enum TextInput {
    /// More than any text may have, so that the node can report by how much it is too long.
    private static let bytesMax = 64 << 10

    package static func text(_ words: [String], _ context: CommandContext) throws -> String {
        guard words == ["-"], !context.isChat else { return ArgumentWords.text(words) }
        var bytes: [UInt8] = []
        while bytes.count < bytesMax {
            var piece = [UInt8](repeating: 0, count: 4_096)
            let count = read(0, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                code: "notUTF8", "standard input is not UTF-8; convert it, for example with iconv -t UTF-8")
        }
        return text
    }
}
