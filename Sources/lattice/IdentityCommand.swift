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
        abstract: "Print your name, id and short id.",
        discussion: "The id is your public key; others recognise you by it, even if you change your name."
    )

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
