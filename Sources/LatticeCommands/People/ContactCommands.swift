import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

struct ContactsCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "contacts [list | add PEER | remove PEER | verify PEER]", "List or change your contacts.",
        discussion: """
            lattice remembers everybody you meet by their key. With --invitations contacts, only people you added or verified \
            may link, and those in the file 'contacts'.
            """,
        examples: ["contacts", "contacts add bob#rrxy --called Robert", "contacts verify bob#rrxy --yes"])
    static let configuration = manual.configuration(
        subcommands: [
            ContactsListCommand.self, ContactsAddCommand.self, ContactsRemoveCommand.self, ContactsVerifyCommand.self,
        ],
        default: ContactsListCommand.self)
}

struct ContactsListCommand: SharedCommand {
    static let manual = CommandManual(
        "contacts list", "List everybody you know, your contacts first.", examples: ["contacts list"])

    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let people = try await node.perform(ListKnownPeople()).people
        guard !people.isEmpty else { return .none("you have not met anybody yet") }
        return CommandOutput(
            KnownLines.list(people, context), objects: people.map(KnownJSON.object))
    }
}

struct ContactsAddCommand: SharedCommand {
    static let manual = CommandManual(
        "contacts add PEER [--called NAME]", "Add a contact, with a name of your own if you like.",
        discussion: "For somebody you have not met, give the full id, which 'lattice id' prints on their machine.",
        examples: [
            "contacts add bob#rrxy --called Robert",
            "contacts add d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        ])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @Option(help: ArgumentHelp("Your name for them.", valueName: "name"), transform: Arguments.peerName)
    var called: PeerName?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let person = try await node.perform(AddContact(PeerReference(peer), petname: called))
        return KnownPages.told("\(KnownLines.shown(person)) is a contact", of: person)
    }
}

struct ContactsRemoveCommand: SharedCommand {
    static let manual = CommandManual(
        "contacts remove PEER", "Remove a contact, and all that you noted about them.",
        discussion: "They are no longer verified, blocked or ignored. When you meet them again, they are new.",
        examples: ["contacts remove bob#rrxy"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let person = try await node.perform(RemoveContact(PeerReference(peer)))
        let mark = person.verified == nil ? "" : ", and the key is no longer verified"
        return KnownPages.told("\(KnownLines.shown(person)) is forgotten\(mark)", of: person)
    }
}

struct ContactsVerifyCommand: SharedCommand {
    static let manual = CommandManual(
        "contacts verify PEER [--yes] [--no]", "Same as 'verify': show a safety number, or confirm it.",
        examples: ["contacts verify bob#rrxy", "contacts verify bob#rrxy --yes"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @Flag(help: "The numbers match.") var yes = false
    @Flag(help: "Take it back.") var no = false
    @OptionGroup var options: ReadingOptions

    func validate() throws {
        guard !(yes && no) else { throw ValidationError("use --yes or --no, not both") }
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        try await KnownPages.verify(PeerReference(peer), yes ? true : no ? false : nil, on: node, context)
    }
}

struct VerifyCommand: SharedCommand {
    static let manual = CommandManual(
        "verify PEER [yes|no]", "Show a safety number to compare with somebody, or confirm it.",
        discussion: """
            Compare the digits or the words by voice or side by side; half of them come from each key. 'yes' marks the key as \
            verified, under any name; another key with the same name is not marked. 'no' takes it back.
            """,
        examples: ["verify bob", "verify bob#rrxy yes"])

    enum Word: String, ExpressibleByArgument {
        case yes
        case no
    }

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @Argument(help: "Whether the numbers match: yes or no.") var word: Word?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        try await KnownPages.verify(PeerReference(peer), word.map { $0 == .yes }, on: node, context)
    }
}

/// Replies that several of these commands share.
enum KnownPages {
    static func told(_ sentence: String, of person: KnownPerson) -> CommandOutput {
        CommandOutput([sentence], objects: [KnownJSON.object(person)])
    }

    static func block(_ peer: String, _ isBlocked: Bool, on node: any MeshNode) async throws -> CommandOutput {
        let person = try await node.perform(BlockPerson(PeerReference(peer), isBlocked))
        return told("\(KnownLines.shown(person)) is \(isBlocked ? "" : "not ")blocked", of: person)
    }

    static func verify(
        _ peer: PeerReference, _ isRight: Bool?, on node: any MeshNode, _ context: CommandContext
    ) async throws -> CommandOutput {
        guard let isRight else {
            let number = try await node.perform(ShowSafetyNumber(peer))
            return CommandOutput(KnownLines.lines(number, context), objects: [KnownJSON.object(number)])
        }
        let person = try await node.perform(VerifyPerson(peer, isRight))
        let now = isRight ? "is verified; the mark stays with the key, under any name" : "is not verified"
        return told("\(KnownLines.shown(person)) \(now)", of: person)
    }
}
