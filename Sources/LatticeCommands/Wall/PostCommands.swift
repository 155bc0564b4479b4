import ArgumentParser
import Glibc
import LatticeAPI
package import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeSettings

/// `lattice post`
struct PostCommand: WallCommand {
    static let wordsBeforeText: Int? = 0
    static let manual = WallManual(
        "post TEXT… [--at PLACE] [--name-place NAME] [--expires 7d] [--blur N]",
        "Leave a message at a place.",
        discussion: """
            People within the radius can read it, now and later. Without --at it is left where you are (see 'here'). --blur 7 \
            hides the place in a cell of about 150 m, 6 of 1 km, 5 of 5 km.
            """,
        examples: [
            "post Water at the gate --at 40.7128,-74.0060 --expires 2d"
        ])

    @Argument(help: "At most 140 characters; '-' reads standard input.")
    var text: [String]

    @Option(
        help: ArgumentHelp(
            "The place: 40.7128,-74.0060 or a geohash. (default: where you are)", valueName: "place"),
        transform: Arguments.place)
    var at: ParsedPlace?

    @Option(help: ArgumentHelp("A name for the place.", valueName: "name"))
    var namePlace: String?

    @Option(
        help: ArgumentHelp("How long it lasts, such as 12h or 7d. (default: 30d)", valueName: "time"),
        transform: Arguments.lifetime)
    var expires: Duration?

    @Option(
        help: ArgumentHelp("Round the place to n characters of a geohash, 1 to 12.", valueName: "n"),
        transform: Arguments.blur)
    var blur: Int?

    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let post = NewPost(
            text: try TextInput.text(text, context), at: at?.coordinate, placeName: namePlace, lifetime: expires,
            blur: blur ?? at?.geohashCharacters)
        return WallPages.done("posted", try await node.perform(post), context)
    }
}

/// `lattice comment`
struct CommentCommand: WallCommand {
    static let wordsBeforeText: Int? = 1
    static let manual = WallManual(
        "comment ID TEXT…", "Comment on a post or an event.",
        discussion: "ID is the short id shown in lists.",
        examples: ["comment a1b2c3 The tap is on the left"])

    @Argument(help: "The id of a post or an event.") var id: String
    @Argument(help: "The text; in the shell '-' reads it from standard input.") var text: [String]
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let text = try TextInput.text(text, context)
        return WallPages.done(
            "commented", try await node.perform(NewComment(on: ItemReference(id), text: text)), context)
    }
}

/// `lattice edit`
struct EditCommand: WallCommand {
    static let wordsBeforeText: Int? = 1
    static let manual = WallManual(
        "edit ID TEXT…", "Edit your post, comment or event.",
        discussion:
            "Everybody sees that it was edited. For an event this changes the description; 'event edit' changes the rest.",
        examples: ["edit a1b2c3 Water at the gate, until nine"])

    @Argument(help: "The id of your post, comment or event.") var id: String
    @Argument(help: "The new text; in the shell '-' reads it from standard input.") var text: [String]
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let text = try TextInput.text(text, context)
        return WallPages.done("edited", try await node.perform(EditItem(ItemReference(id), text: text)), context)
    }
}

/// `lattice delete`
struct DeleteCommand: WallCommand {
    static let manual = WallManual(
        "delete ID", "Delete your post, comment or event, or a comment on it.",
        discussion:
            "Comments by others stay and show that the author deleted it. Copies that somebody made cannot be deleted.",
        examples: ["delete a1b2c3"])

    @Argument(help: "The id of your post, comment or event, or of a comment on it.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let old = try await node.perform(ShowItem(ItemReference(id))).item
        guard old.state == .shown || old.state == .tooFar else {
            return WallOutput(["it was already deleted"], objects: [WallJSON.object("item", old)])
        }
        return WallPages.done("deleted", try await node.perform(DeleteItem(ItemReference(id))), context)
    }
}

/// `lattice like`
struct LikeCommand: WallCommand {
    static let manual = WallManual(
        "like ID", "Like a post, a comment or an event.", discussion: "Repeating it changes nothing.",
        examples: ["like a1b2c3"])

    @Argument(help: "The id of a post, comment or event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        WallPages.done("you like", try await node.perform(LikeItem(ItemReference(id), true)), context)
    }
}

/// `lattice unlike`
struct UnlikeCommand: WallCommand {
    static let manual = WallManual("unlike ID", "Remove your like.", examples: ["unlike a1b2c3"])

    @Argument(help: "The id of a post, comment or event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let old = try await node.perform(ShowItem(ItemReference(id))).item
        guard old.isLikedByMe else {
            return WallOutput(["you did not like it"], objects: [WallJSON.object("item", old)])
        }
        return WallPages.done("you no longer like", try await node.perform(LikeItem(ItemReference(id), false)), context)
    }
}

/// The text to send, from arguments or standard input.
package enum TextInput {
    /// More than any text may have, so that the node can report by how much it is too long.
    private static let bytesMax = 64 << 10

    package static func text(_ words: [String], _ context: WallContext) throws -> String {
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
            throw WallFailure(
                code: "notUTF8", "standard input is not UTF-8; convert it, for example with iconv -t UTF-8")
        }
        return text
    }
}
