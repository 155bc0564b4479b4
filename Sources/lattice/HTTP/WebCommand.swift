import ArgumentParser
import Foundation
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeHost
import LatticeNode
import LatticeSettings
import Logging

struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web",
        abstract: "Open the page in a browser: rooms, people, posts on a map, and the mesh.",
        discussion: """
            If 'lattice run --http' already serves the page, it is opened. If another lattice of yours runs for the same \
            folder, the page is served through it; otherwise a node starts, and ends with this command. Ctrl-C ends it. The \
            link is printed on standard output; anybody who has it can write in your name.

            For example:
              lattice web
              lattice web --listen 127.0.0.1:9000 --no-open
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup(title: CommonOptions.title) var network: NetworkOptions

    @Option(
        help: ArgumentHelp(
            "Where to serve the page. (default: 127.0.0.1:8080, or a free port if that is taken)",
            valueName: "host:port"),
        transform: Arguments.listenAddress)
    var listen: PeerAddress?

    @OptionGroup var map: BaseMapOptions
    @OptionGroup var visitors: VisitorOptions
    @OptionGroup var encryption: EncryptionOptions

    @Flag(help: "Print the link, but do not open a browser.")
    var noOpen = false

    func run() async throws {
        let directory = try person.choice.directory()
        if let place = directory.webPlace(), directory.listening() != nil {
            let token = try HTTPFront.token(in: directory)
            Report.remark("another lattice serves the page already")
            tell(place.link(token))
            open(place.link(token), in: directory)
            return place.printCode(token)
        }
        let signals = await ProgramSignal.caught(.interrupt, .terminate)
        let failure: Failure? = try await ShellNode.with(person.choice, network.choice, isBrief: false) { node, _, _ in
            do {
                let page = try await listening(node, in: directory)
                tell(page.link)
                open(page.link, in: directory)
                Report.remark("Ctrl-C ends it")
                page.place.printCode(page.token)
                let isNodeOver = await page.serving(until: { for await _ in signals { return } })
                return isNodeOver ? Self.nodeOver : nil
            } catch {
                return error as? Failure ?? Failure(.failed, "\(error)")
            }
        }
        if let failure { throw failure }
    }

    /// Without a requested address: the usual port, or any.
    private func listening(_ node: any MeshNode, in directory: DataDirectory) async throws -> HTTPPage {
        let logger = Logger(label: "lattice") { _ in SwiftLogNoOpLogHandler() }
        let wish = listen ?? Settings.current.value(.httpListen, Arguments.listenAddress)
        let usual = PeerAddress(host: "127.0.0.1", port: 8_080)
        let encryption = try encryption.chosen()
        func front(_ address: PeerAddress) -> HTTPFront {
            HTTPFront(address: address, map: map.path, visitorsMax: visitors.countMax, encryption: encryption)
        }
        do {
            return try await front(wish ?? usual).listening(node, in: directory, logger: logger)
        } catch {
            guard wish == nil else { throw error }
            let other = PeerAddress(host: usual.host, port: 0)
            return try await front(other).listening(node, in: directory, logger: logger)
        }
    }

    private static let nodeOver = Failure(
        .unavailable, "the node of this folder has ended; start 'lattice web' again")

    private func tell(_ link: String) {
        do {
            try Report.output("\(link)\n")
        } catch {
            return  // Standard output is closed; the browser is opened all the same.
        }
    }

    /// Passes the link in a file, because everybody on this machine can read a process's arguments.
    private func open(_ link: String, in directory: DataDirectory) {
        guard !noOpen, ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { Surroundings.variable($0) != nil }) else {
            return
        }
        do {
            let path = try directory.keepWebLead(
                "<!doctype html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; url=\(link)\">\n"
                    + "<title>lattice</title>\n<a href=\"\(link)\">Open lattice</a>\n")
            try DesktopOpener.run(path)
        } catch {
            Report.remark("cannot open a browser (\(error)); open the link yourself")
        }
    }
}
