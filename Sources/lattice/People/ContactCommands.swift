import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore

/// `lattice contacts`
struct ContactsCommand: AsyncParsableCommand, WallManualled {
    static let manual = WallManual(
        "contacts [list | add PEER | remove PEER | verify PEER]", "List everybody you know, or say who somebody is.",
        discussion: """
            Whoever you meet is remembered by key. With --invitations contacts those you added or verified may link, and \
            those of the file 'contacts'.
            """,
        examples: ["contacts", "contacts add bob#rrxy --called Robert", "contacts verify bob#rrxy --yes"])
    static let configuration = manual.configuration(
        subcommands: [
            ContactsListCommand.self, ContactsAddCommand.self, ContactsRemoveCommand.self, ContactsVerifyCommand.self,
        ],
        default: ContactsListCommand.self)
}

/// `lattice contacts list`
struct ContactsListCommand: WallCommand {
    static let manual = WallManual(
        "contacts list", "List everybody you know: those you said something of first.", examples: ["contacts list"])

    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let people = try await node.knownPeople()
        guard !people.isEmpty else { return .none("you have met nobody yet") }
        return WallOutput(
            KnownLines.list(people, context), objects: people.map(KnownJSON.object))
    }
}

/// `lattice contacts add`
struct ContactsAddCommand: WallCommand {
    static let manual = WallManual(
        "contacts add PEER [--called NAME]", "Make somebody a contact, and give them a name of your own.",
        discussion: "Whom you have not met yet you add by the whole id; theirs is what 'lattice id' prints.",
        examples: [
            "contacts add bob#rrxy --called Robert",
            "contacts add d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        ])

    @Argument(help: "Whom: bob, bob#k7f3 or an id.") var peer: String
    @Option(help: ArgumentHelp("What you call them.", valueName: "name"), transform: Arguments.peerName)
    var called: PeerName?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let person = try await node.person(.add(PeerReference(peer), petname: called))
        return KnownPages.told("\(KnownLines.shown(person)) is a contact", of: person)
    }
}

/// `lattice contacts remove`
struct ContactsRemoveCommand: WallCommand {
    static let manual = WallManual(
        "contacts remove PEER", "Forget somebody, with all you said of them.",
        discussion: "Whoever was verified, blocked or ignored is not any more. They are new when you meet them again.",
        examples: ["contacts remove bob#rrxy"])

    @Argument(help: "Whom: bob, bob#k7f3 or an id.") var peer: String
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let person = try await node.person(.remove(PeerReference(peer)))
        let mark = person.verified == nil ? "" : ", and the key is not verified any more"
        return KnownPages.told("\(KnownLines.shown(person)) is forgotten\(mark)", of: person)
    }
}

/// `lattice contacts verify`
struct ContactsVerifyCommand: WallCommand {
    static let manual = WallManual(
        "contacts verify PEER [--yes] [--no]", "As verify: show a safety number, or say that it is right.",
        examples: ["contacts verify bob#rrxy", "contacts verify bob#rrxy --yes"])

    @Argument(help: "Whom: bob, bob#k7f3 or an id.") var peer: String
    @Flag(help: "The numbers are the same.") var yes = false
    @Flag(help: "Take that back.") var no = false
    @OptionGroup var options: ReadingOptions

    func validate() throws {
        guard !(yes && no) else { throw ValidationError("--yes or --no: give one of them") }
    }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        try await KnownPages.verify(PeerReference(peer), yes ? true : no ? false : nil, on: node, context)
    }
}

/// `lattice verify`
struct VerifyCommand: WallCommand {
    static let manual = WallManual(
        "verify PEER [yes|no]", "Show a number that both of you see alike, or say that it is the same.",
        discussion: """
            Compare the digits or the words by voice or side by side: each has half of them from one key. 'yes' marks the key, \
            whatever name it takes; another key of the same name has no mark. 'no' takes it back.
            """,
        examples: ["verify bob", "verify bob#rrxy yes"])

    /// A person's word on it.
    enum Word: String, ExpressibleByArgument {
        case yes
        case no
    }

    @Argument(help: "Whom: bob, bob#k7f3 or an id.") var peer: String
    @Argument(help: "The numbers are the same: yes or no.") var word: Word?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        try await KnownPages.verify(PeerReference(peer), word.map { $0 == .yes }, on: node, context)
    }
}

/// Answers that several of these commands share.
enum KnownPages {
    static func told(_ sentence: String, of person: KnownPerson) -> WallOutput {
        WallOutput([sentence], objects: [KnownJSON.object(person)])
    }

    static func block(_ peer: String, _ isBlocked: Bool, on node: any MeshNode) async throws -> WallOutput {
        let person = try await node.person(.block(PeerReference(peer), isBlocked))
        return told("\(KnownLines.shown(person)) is \(isBlocked ? "" : "not ")blocked", of: person)
    }

    static func verify(
        _ peer: PeerReference, _ isRight: Bool?, on node: any MeshNode, _ context: WallContext
    ) async throws -> WallOutput {
        guard let isRight else {
            guard case .safetyNumber(let number) = try await node.known(.safetyNumber(peer)) else {
                preconditionFailure("each request names its answer")
            }
            return WallOutput(KnownLines.lines(number, context), objects: [KnownJSON.object(number)])
        }
        let person = try await node.person(.verify(peer, isRight))
        let now = isRight ? "is verified: its key bears the mark, whatever it calls itself" : "is not verified"
        return told("\(KnownLines.shown(person)) \(now)", of: person)
    }
}

extension MeshNode {
    func known(_ request: KnownRequest) async throws(RequestError) -> KnownAnswer {
        guard case .known(let answer) = try await perform(.known(request)) else {
            preconditionFailure("each request names its answer")
        }
        return answer
    }

    func person(_ request: KnownRequest) async throws(RequestError) -> KnownPerson {
        guard case .person(let person) = try await known(request) else {
            preconditionFailure("each request names its answer")
        }
        return person
    }

    func knownPeople() async throws(RequestError) -> [KnownPerson] {
        guard case .people(let people) = try await known(.people) else {
            preconditionFailure("each request names its answer")
        }
        return people
    }

    func muted(_ request: KnownRequest) async throws(RequestError) -> [RoomName] {
        guard case .muted(let rooms) = try await known(request) else {
            preconditionFailure("each request names its answer")
        }
        return rooms
    }
}
