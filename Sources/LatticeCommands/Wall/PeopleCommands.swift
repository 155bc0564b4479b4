import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

/// `lattice follow`
struct FollowCommand: WallCommand {
    static let manual = WallManual(
        "follow PEER", "Follow somebody: their posts appear in your timeline.",
        discussion:
            "PEER is a name, a name with its short id such as bob#k7f3, or an id. Others can see whom you follow.",
        examples: ["follow bob#k7f3"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        try await WallPages.follow(peer, true, on: node)
    }
}

/// `lattice unfollow`
struct UnfollowCommand: WallCommand {
    static let manual = WallManual("unfollow PEER", "Unfollow somebody.", examples: ["unfollow bob#k7f3"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        try await WallPages.follow(peer, false, on: node)
    }
}

/// `lattice profile`
struct ProfileCommand: AsyncParsableCommand, WallManualled {
    static let manual = WallManual(
        "profile [show PEER | list | set …]", "Show a profile, or set your own.",
        examples: ["profile", "profile show bob", "profile set --about \"I bring water\""])
    static let configuration = manual.configuration(
        subcommands: [ProfileShowCommand.self, ProfileListCommand.self, ProfileSetCommand.self],
        default: ProfileShowCommand.self)
}

/// `lattice profile show`
struct ProfileShowCommand: WallCommand {
    static let manual = WallManual(
        "profile show [PEER]", "Show somebody's profile, or your own.", examples: ["profile show bob#k7f3"])

    @Argument(help: "The person: bob, bob#k7f3 or an id. (default: you)") var peer: String?
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        WallPages.person(try await node.perform(ShowProfile(peer.map { PeerReference($0) })), context)
    }
}

/// `lattice profile list`
struct ProfileListCommand: WallCommand {
    static let manual = WallManual(
        "profile list", "List everybody with a profile, the people you follow first.", examples: ["profile list"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let people = try await node.perform(ListProfiles()).people
        guard !people.isEmpty else { return .none("nobody here has a profile yet") }
        return WallOutput(PeopleLines.list(people, context), objects: people.map { WallJSON.object($0) })
    }
}

/// `lattice profile set`
struct ProfileSetCommand: WallCommand {
    static let manual = WallManual(
        "profile set [--called NAME] [--about TEXT] [--colour #1e90ff]", "Set your profile.",
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
    @OptionGroup var options: WritingOptions

    func validate() throws {
        guard called != nil || about != nil || colour != nil else {
            throw ValidationError("nothing to set; use --called, --about or --colour")
        }
    }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let change = ProfileChange(name: called, about: about, colour: colour)
        return WallPages.person(try await node.perform(change), context)
    }
}
