import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeHost
import LatticeNode
import LatticeSettings

struct PipeCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "pipe PEER | --listen [--label pipe] [--from PEER]",
        "Connect standard input and output with somebody's program.",
        discussion: """
            Standard input goes to the other side, and its output comes to standard output, over any number of hops. One side \
            runs --listen and takes one stream; the other names that person. Exit codes: 0 both sides have finished; 1 one \
            side gave up, disappeared or could not write; 69 nobody was there within --wait; 75 somebody was there but did not \
            listen. On a terminal with redirected output nothing is sent; Ctrl-D ends your input.

            The stream is encrypted for that peer alone, and each side proves its identity. Peers that relay it see its size \
            and time and can stop it, but cannot read or change it. Nothing is stored. While you listen, anybody who may write \
            to you can open a stream, unless --from names one person; people you block cannot.
            """,
        examples: [
            "pipe --listen | tar x", "pipe anna < letter.pdf", "pipe --listen --label backup > backup.tar",
        ])
    static let configuration = manual.configuration()

    @Argument(help: "The person: anna, anna#k7f3 or an id.") var peer: String?

    @Flag(help: "Wait for somebody to open a stream, and take that one.")
    var listen = false

    @Option(
        help: ArgumentHelp("A label for the stream, the same on both sides. (default: pipe)", valueName: "label"),
        transform: Self.label)
    var label: StreamLabel?

    @Option(help: ArgumentHelp("With --listen: the person to wait for. (default: anybody)", valueName: "peer"))
    var from: String?

    @Flag(help: "Send nothing, and do not read standard input.")
    var noInput = false

    @Option(
        help: ArgumentHelp(
            "How long to try to reach the other side, or to listen; 0 tries once. (default: 10; with --listen no limit)",
            valueName: "seconds"),
        transform: Arguments.number(0...86_400, "--wait"))
    var wait: Int?

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup(title: CommonOptions.title) var network: NetworkOptions

    private static func label(_ text: String) throws -> StreamLabel {
        do {
            return try StreamLabel(text)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func validate() throws {
        guard (peer == nil) == listen else {
            throw ValidationError(
                listen
                    ? "--listen takes no name; to wait for one person use --from \(peer ?? "")"
                    : "give a person, such as 'lattice pipe anna', or --listen")
        }
        guard from == nil || listen else { throw ValidationError("--from needs --listen") }
    }

    func run() async throws {
        let signals = await ProgramSignal.caught(.interrupt, .terminate, .hangup)
        let end = try await ShellNode.with(person.choice, network.choice, isBrief: false, isAnnounced: false) {
            node, me, _ in
            await withTaskGroup(of: PipeEnd.self) { group in
                group.addTask { await carry(on: node, me) }
                group.addTask {
                    for await _ in signals { break }
                    return .interrupted
                }
                let end = await group.next() ?? .interrupted
                group.cancelAll()
                return end
            }
        }
        end.text.map(Report.error)
        if end.exitCode != 0 { throw ExitCode(end.exitCode) }
    }

    private func carry(on node: any MeshNode, _ me: Me) async -> PipeEnd {
        do throws(PipeEnd) {
            let stream = try await PipeMeeting(node: node, me: me, label: label ?? .usual, wait: wait).stream(
                listen ? .from(from) : .to(peer ?? ""))
            let hasInput = !noInput && (isatty(0) == 0 || isatty(1) == 1)
            return await PipeRun(node: node, stream: stream.stream).run(hasInput: hasInput)
        } catch {
            return error
        }
    }
}
