import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

struct FollowCommand: SharedCommand {
    static let manual = CommandManual(
        "follow PEER|all", "Follow somebody: their posts and events appear in your timeline.",
        discussion:
            "PEER is a name, a name with its short id such as bob#k7f3, or an id. 'all' means the people whom you met today, at most "
            + "\(FollowMet.peopleMax) at a time, and not those you ignore. Others can see whom you follow.",
        examples: ["follow bob#k7f3", "follow all"])

    @Argument(help: "The person: bob, bob#k7f3 or an id; or 'all'.") var peer: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        if peer == "all" { return try await followMet(on: node, context) }
        return try await ManualPages.follow(peer, true, on: node)
    }

    /// Since midnight here.
    private func followMet(on node: any MeshNode, _ context: CommandContext) async throws -> CommandOutput {
        let today = context.calendar.civil(context.now)
        let midnight = CivilTime(year: today.year, month: today.month, day: today.day, hour: 0, minute: 0, second: 0)
        let since = midnight.map { context.calendar.time($0) } ?? context.now
        let people = try await node.perform(FollowMet(since: since)).people
        guard !people.isEmpty else { return .none("You met nobody today whom you do not follow yet.") }
        return CommandOutput(
            ["You follow \(ItemPhrases.counted(people.count, "more person", "more people")) now:"]
                + people.map { "  \(PeopleLines.name($0))" }, objects: people.map { PostJSON.object($0) })
    }
}

struct UnfollowCommand: SharedCommand {
    static let manual = CommandManual("unfollow PEER", "Unfollow somebody.", examples: ["unfollow bob#k7f3"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        try await ManualPages.follow(peer, false, on: node)
    }
}

struct ProfileCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "profile [show PEER | list | set …]", "Show a profile, or set your own.",
        examples: ["profile", "profile show bob", "profile set --about \"I bring water\""])
    static let configuration = manual.configuration(
        subcommands: [ProfileShowCommand.self, ProfileListCommand.self, ProfileSetCommand.self],
        default: ProfileShowCommand.self)
}

struct ProfileShowCommand: SharedCommand {
    static let manual = CommandManual(
        "profile show [PEER]", "Show somebody's profile, or your own.", examples: ["profile show bob#k7f3"])

    @Argument(help: "The person: bob, bob#k7f3 or an id. (default: you)") var peer: String?
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        ManualPages.person(try await node.perform(ShowProfile(peer.map { PeerReference($0) })), context)
    }
}

struct ProfileListCommand: SharedCommand {
    static let manual = CommandManual(
        "profile list", "List everybody with a profile, the people you follow first.", examples: ["profile list"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let people = try await node.perform(ListProfiles()).people
        guard !people.isEmpty else { return .none("nobody here has a profile yet") }
        return CommandOutput(PeopleLines.list(people, context), objects: people.map { PostJSON.object($0) })
    }
}

struct ProfileSetCommand: SharedCommand {
    static let manual = CommandManual(
        "profile set [--called NAME] [--about TEXT] [--colour #1e90ff] [--photo FILE [--alt TEXT] | --no-photo]",
        "Set your profile.",
        discussion: "Options that you omit stay as they are. Without a profile, others see the name on your posts.",
        examples: ["profile set --about \"I bring water\" --colour 1e90ff"])

    @Option(help: ArgumentHelp("Your name.", valueName: "name"), transform: Arguments.peerName)
    var called: PeerName?
    @Option(help: ArgumentHelp("A few words about you.", valueName: "text")) var about: String?
    @Option(
        help: ArgumentHelp("Your colour: six hexadecimal digits, such as 1e90ff.", valueName: "colour"),
        transform: { text in
            guard let colour = Colour(parsing: text) else {
                throw ValidationError("a colour is six hexadecimal digits, such as 1e90ff")
            }
            return colour
        })
    var colour: Colour?
    @OptionGroup var photo: PhotoOptions
    @Flag(help: "Remove your photo.") var noPhoto = false
    @OptionGroup var options: WritingOptions

    func validate() throws {
        guard called != nil || about != nil || colour != nil || photo.photo != nil || photo.alt != nil || noPhoto else {
            throw ValidationError("nothing to set; use --called, --about, --colour, --photo or --no-photo")
        }
        guard !noPhoto || photo.photo == nil && photo.alt == nil else {
            throw ValidationError("use --photo or --no-photo, not both")
        }
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let new: PhotoChange? = noPhoto ? .remove : photo.source(context).map { .new($0) }
        let change = ProfileChange(name: called, about: about, colour: colour, photo: new, alt: photo.alt)
        return ManualPages.person(try await node.perform(change), context)
    }
}
