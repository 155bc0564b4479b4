import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo

/// `lattice post`
struct PostCommand: WallCommand {
    static let wordsBeforeText: Int? = 0
    static let manual = WallManual(
        "post TEXT… [--at PLACE] [--name-place NAME] [--expires 7d] [--blur N]",
        "Leave a message at a place.",
        discussion: """
            Whoever is within the radius reads it, now or later. Without --at it is left where you are ('here' says \
            where). --blur N cuts the place to a geohash of N characters before it is signed: 7 is some 150 m wide, 6 \
            about a kilometre, 5 about five. A place given as a geohash is not known better than that.
            """,
        examples: [
            "post Water at the gate, until eight --at 40.7128,-74.0060",
            "post Found a red scarf --blur 6 --expires 2d",
        ])

    @Argument(help: "What to say, at most 140 characters; in the shell '-' reads it from standard input.")
    var text: [String]

    @Option(
        help: ArgumentHelp(
            "Where: 40.7128,-74.0060, a geohash or a geo: URI. (default: where you are)", valueName: "place"),
        transform: Arguments.place)
    var at: ParsedPlace?

    @Option(help: ArgumentHelp("What people call the place.", valueName: "name"))
    var namePlace: String?

    @Option(
        help: ArgumentHelp("How long it lasts, as in 12h or 7d. (default: 30d)", valueName: "time"),
        transform: Arguments.lifetime)
    var expires: Duration?

    @Option(
        help: ArgumentHelp("Cut the place to so many characters of a geohash, 1 to 12.", valueName: "n"),
        transform: Arguments.blur)
    var blur: Int?

    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let post = NewPost(
            text: try TextInput.text(text, context), at: at?.coordinate, placeName: namePlace, lifetime: expires,
            blur: blur ?? at?.geohashCharacters)
        return WallPages.done("posted", try await node.item(.post(post)), context)
    }
}

/// `lattice comment`
struct CommentCommand: WallCommand {
    static let wordsBeforeText: Int? = 1
    static let manual = WallManual(
        "comment ID TEXT…", "Say something about a post or an event.",
        discussion: "ID is the short id that lists show, or as much of an id as is unambiguous.",
        examples: ["comment a1b2c3 The tap is on the left"])

    @Argument(help: "The id of a post or an event.") var id: String
    @Argument(help: "What to say; in the shell '-' reads it from standard input.") var text: [String]
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let text = try TextInput.text(text, context)
        return WallPages.done("commented", try await node.item(.comment(on: ItemReference(id), text: text)), context)
    }
}

/// `lattice edit`
struct EditCommand: WallCommand {
    static let wordsBeforeText: Int? = 1
    static let manual = WallManual(
        "edit ID TEXT…", "Write your own post, comment or event anew.",
        discussion:
            "Everybody sees that it was edited. Of an event it is the description; 'event edit' changes the rest.",
        examples: ["edit a1b2c3 Water at the gate, until nine"])

    @Argument(help: "The id of a post, comment or event of yours.") var id: String
    @Argument(help: "The new text; in the shell '-' reads it from standard input.") var text: [String]
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let text = try TextInput.text(text, context)
        return WallPages.done("edited", try await node.item(.edit(ItemReference(id), text: text)), context)
    }
}

/// `lattice delete`
struct DeleteCommand: WallCommand {
    static let manual = WallManual(
        "delete ID", "Take back what you wrote, or a comment on it.",
        discussion:
            "What others said of it then shows that its author deleted it. A copy that somebody made is out of reach.",
        examples: ["delete a1b2c3"])

    @Argument(help: "The id of a post, comment or event of yours, or of a comment on one.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let old = try await node.detail(.show(ItemReference(id), from: nil)).item
        guard old.state == .shown || old.state == .tooFar else {
            return WallOutput(["it was taken back already"], objects: [WallJSON.object("item", old)])
        }
        return WallPages.done("deleted", try await node.item(.delete(ItemReference(id))), context)
    }
}

/// `lattice like`
struct LikeCommand: WallCommand {
    static let manual = WallManual(
        "like ID", "Like a post, a comment or an event.", discussion: "To like it twice changes nothing.",
        examples: ["like a1b2c3"])

    @Argument(help: "The id of a post, comment or event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        WallPages.done("you like", try await node.item(.like(ItemReference(id), true)), context)
    }
}

/// `lattice unlike`
struct UnlikeCommand: WallCommand {
    static let manual = WallManual("unlike ID", "Like something no more.", examples: ["unlike a1b2c3"])

    @Argument(help: "The id of a post, comment or event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let old = try await node.detail(.show(ItemReference(id), from: nil)).item
        guard old.isLikedByMe else {
            return WallOutput(["you did not like it"], objects: [WallJSON.object("item", old)])
        }
        return WallPages.done("you do not like", try await node.item(.like(ItemReference(id), false)), context)
    }
}

/// What is to be said, as words or from standard input.
enum TextInput {
    /// More than any text may have, so that the node can say by how much.
    private static let bytesMax = 64 << 10

    static func text(_ words: [String], _ context: WallContext) throws -> String {
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
                code: "notUTF8", "standard input is not UTF-8; convert it, as with iconv -t UTF-8")
        }
        return text
    }
}
