import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeNode
import UnixSignals

/// `lattice pipe`
struct PipeCommand: AsyncParsableCommand, WallManualled {
    static let manual = WallManual(
        "pipe PEER | --listen [--label pipe] [--from PEER]",
        "Send bytes to somebody's program, and take what it sends back.",
        discussion: """
            Standard input goes to the other side, and what comes from there to standard output, both at once and as fast as \
            it is read, over any number of hops. One side says --listen and takes one stream; the other names it. It ends with \
            code 0 when both have said all and the other side has written all that was sent; with 1 if either gave up, went \
            away for good, or could not write; with 69 if nobody was there within --wait, and with 75 if somebody was there and \
            did not listen. At a terminal whose output is redirected nothing is sent; ^D ends what is typed.

            What is sent is sealed for that peer alone, and who is at the other side is proven: whoever passes it on sees how \
            much it is and when, and can stop it, but neither read nor change it. Nothing is kept. Whoever may write to you may \
            open a stream while you listen, unless --from names somebody; people whom you block may not.
            """,
        examples: [
            "pipe --listen | tar x", "pipe anna < letter.pdf", "pipe --listen --label backup > backup.tar",
        ])
    static let configuration = manual.configuration()

    @Argument(help: "To whom: anna, anna#k7f3 or an id.") var peer: String?

    @Flag(help: "Wait for somebody to open a stream, and take that one.")
    var listen = false

    @Option(
        help: ArgumentHelp("What the stream is for: both sides say the same. (default: pipe)", valueName: "label"),
        transform: Self.label)
    var label: StreamLabel?

    @Option(help: ArgumentHelp("With --listen, whom to wait for. (default: anybody)", valueName: "peer"))
    var from: String?

    @Flag(help: "Send nothing, and do not read standard input.")
    var noInput = false

    @Option(
        help: ArgumentHelp(
            "How long to try to reach the other side, or to listen; 0 tries once. (default: 10, and with --listen without "
                + "end)", valueName: "seconds"),
        transform: Arguments.number(0...86_400, "--wait"))
    var wait: Int?

    @OptionGroup var person: PersonOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

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
                    ? "--listen takes whoever comes; to wait for one person say --from \(peer ?? "")"
                    : "say to whom, as in 'lattice pipe anna', or --listen")
        }
        guard from == nil || listen else { throw ValidationError("--from goes with --listen") }
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let end = try await ShellNode.with(person, network, isBrief: false) { node, me, _ in
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
