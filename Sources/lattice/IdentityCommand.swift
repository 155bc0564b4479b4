import ArgumentParser
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeCrypto
import LatticeHost
import LatticeNode

struct IdentityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "id",
        abstract: "Print your name, id and short id, or take your key to another machine.",
        discussion: """
            The id is your public key; others recognise you by it, even if you change your name.

            For example:
              lattice id
              lattice id export alice.key
              lattice id import alice.key --name alice
            """,
        subcommands: [Export.self, Import.self])

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let directory = try person.choice.directory()
        PersonChoice.reportNew(directory)
        let peer = try person.choice.peer(in: directory)
        let name = directory.name.text
        if json {
            let members = [("name", JSONLine.Value.text(name)), ("id", .text(peer.hex)), ("short", .text(peer.short))]
            print(JSONLine(members).description)
        } else {
            print("\(DisplayText.safe(name)) \(peer.hex) \(DisplayText.safe(name))#\(peer.short)")
        }
    }
}

extension IdentityCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write your key to a file under a passphrase.",
            discussion: """
                The file can be taken to another machine ('lattice id import') or to the page of a camp. An identity with a \
                passphrase is copied under the same one; for any other, a passphrase is asked for. Use one key in one place at \
                a time.
                """)

        @Argument(help: ArgumentHelp("Where to write it; nothing is overwritten.", valueName: "file"))
        var path: String
        @OptionGroup(title: CommonOptions.title) var person: PersonOptions
        @OptionGroup var new: NewPassphraseOptions

        func run() async throws {
            let sealed = try KeyTransfer.sealed(person.choice, newFile: new.newPassphraseFile)
            try KeyTransfer.create(at: path, remedy: "name another file") { () throws(IdentityFileError) in
                try IdentityFile(path: path).create(sealed)
            }
            Report.remark("anybody with \(DisplayText.safe(path)) and its passphrase can act as you")
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Become somebody whose key was exported.",
            discussion: """
                The identity keeps the passphrase of the file; 'lattice passphrase remove' removes it. What others signed and \
                stored comes from the mesh; private messages of before cannot be read here.
                """)

        @Argument(help: ArgumentHelp("A key file of 'lattice id export', or of the page.", valueName: "file"))
        var path: String
        @OptionGroup(title: CommonOptions.title) var person: PersonOptions

        func run() async throws {
            let content = try KeyTransfer.content(of: path)
            let directory = try person.choice.directory(unnamed: .lastUsed)
            try KeyTransfer.create(at: directory.identityFile.path, remedy: "choose another name with --name") {
                () throws(IdentityFileError) in
                switch content {
                case .open(let identity): try directory.identityFile.create(identity)
                case .sealed(let sealed): try directory.identityFile.create(sealed)
                }
            }
            let name = DisplayText.isolated(directory.name.text)
            Report.remark("\(name)#\(content.peer.short) is here now; 'lattice chat --name \(name)' starts a chat")
        }
    }
}
