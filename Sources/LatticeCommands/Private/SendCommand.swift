import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeHost
import LatticeNode

struct SendCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "send PEER TEXT… [--wait 3] [--until relayed|delivered]",
        "Send a private message; the person need not be online.",
        discussion: """
            PEER is a name, a name with its short id such as bob#k7f3, or an id. Only that person can read it, and nobody else \
            sees who it is for. A peer that is here takes it and relays it; a running chat of the same folder does that on its \
            own. If nobody takes it in time, it is stored and sent the next time, and the exit code is 0. With --until it \
            exits with 69 if nobody took it within --wait, and with 75 if it is still on its way; it is delivered later all \
            the same.
            """,
        examples: [
            "send bob on my way", "send bob#k7f3 done --until delivered --wait 30", "send bob - --json",
        ])
    static let configuration = manual.configuration()

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var peer: String
    @Argument(help: "The message, at most 4,096 bytes; '-' reads it from standard input.") var text: [String]
    @Option(
        help: ArgumentHelp(
            "Wait until it is relayed, or delivered.", valueName: "state"))
    var until: SendGoal?
    @OptionGroup var options: WritingOptions

    func run() async throws {
        let (session, handOver) = try CommandShell.open(options)
        let output = await output(on: session.node) { watch in
            guard let (configuration, patience) = handOver else { return false }
            return await session.handOver(configuration, atMost: patience) { await watch.isDone() } == .byRunningNode
        }
        await session.close()
        try CommandShell.show(output, json: options.json)
        if output.exitCode != 0 { throw ExitCode(output.exitCode) }
    }

    /// - Parameter handOver: hands the message over within a time limit; returns whether a running node of the same
    ///   folder does so on its own.
    func output(on node: any MeshNode, handOver: (SendWatch) async -> Bool) async -> CommandOutput {
        do {
            let text = try TextInput.text(text, Surroundings.ofShell())
            let addressee = try await Addressee.find(peer, on: node)
            let message = try await node.perform(
                SendPrivateMessage(PeerReference(addressee), trimmed(text), style: .says))
            let watch = SendWatch(node, message, until: until)
            let isRunning = await handOver(watch)
            return SendAnswer.output(await watch.look(), isRunning: isRunning, until: until, seconds: options.wait)
        } catch let error as RequestError {
            return CommandOutput(failure: CommandFailure(error))
        } catch let failure as CommandFailure {
            return CommandOutput(failure: failure)
        } catch {
            return CommandOutput(failure: .usage("\(error)"))
        }
    }

    /// Removes line breaks at the end, which piped text usually has.
    private func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}

enum SendGoal: String, CaseIterable, ExpressibleByArgument {
    case relayed
    case delivered

    func isReached(by state: PrivateState) -> Bool {
        switch state {
        case .waiting, .lapsed: false
        case .relayed: self == .relayed
        case .delivered: true
        }
    }
}

/// Checks the state of a message.
actor SendWatch {
    /// Without `--until`: the peer that took the message may be its recipient, and confirms it in a moment.
    private static let grace: Duration = .seconds(1)
    /// How many of the latest messages to search, since others may be sent meanwhile.
    private static let linesMax = 50

    private let node: any MeshNode
    private let until: SendGoal?
    private var message: PrivateMessage
    private var relayedSince: ContinuousClock.Instant?

    init(_ node: any MeshNode, _ message: PrivateMessage, until: SendGoal?) {
        self.node = node
        self.message = message
        self.until = until
    }

    func isDone() async -> Bool {
        let state = await look().state
        if let until { return until.isReached(by: state) }
        guard state == .relayed else { return state != .waiting }
        let since = relayedSince ?? .now
        relayedSince = since
        return since.duration(to: .now) >= Self.grace
    }

    /// - Returns: the current state of the message, or the last known one if the store does not answer.
    func look() async -> PrivateMessage {
        do {
            let request = ListPrivateMessages(PeerReference(message.peer), limit: Self.linesMax)
            let lines = try await node.perform(request).messages
            message = lines.first { $0.number == message.number } ?? message
        } catch {
            return message
        }
        return message
    }
}

/// The result of a message as text and exit code.
enum SendAnswer {
    static func output(_ message: PrivateMessage, isRunning: Bool, until: SendGoal?, seconds: Int) -> CommandOutput {
        let name = message.peerName.map { DisplayText.isolated($0.text) } ?? ""
        let line =
            "sent to \(name)#\(message.peer.short): \(message.state.rawValue): \(told(message, isRunning: isRunning))"
        var output = CommandOutput([line], objects: [message.object])
        if let until, !until.isReached(by: message.state) {
            let isNobodys = message.state == .waiting
            output.failure = CommandFailure(
                code: isNobodys ? "nobodyThere" : "notYet",
                "not \(until.rawValue) within \(seconds) s; it is stored, and delivery continues",
                exitCode: isNobodys ? 69 : 75)
        } else if message.state == .waiting, !isRunning {
            output.remarks = ["it is stored here; nobody else has it yet"]
        }
        return output
    }

    private static func told(_ message: PrivateMessage, isRunning: Bool) -> String {
        switch message.state {
        case .delivered: "their program has it"
        case .relayed: "a peer has it and relays it"
        case .waiting where !message.isSealed:
            "their keys are not known here yet, so it cannot be encrypted; it is sent once they arrive"
        case .waiting where isRunning: "nobody has it yet; your running chat delivers it"
        case .waiting: "nobody has it yet; it is sent when 'lattice chat' runs and a peer is there"
        case .lapsed: "it expired before it was delivered"
        }
    }
}
