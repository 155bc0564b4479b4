package import LatticeAPI
import LatticeChat
package import LatticeCore
import LatticeNode
import LatticeSettings

package struct StatsWatch {
    private enum End: Equatable {
        /// A signal, or a closed output.
        case asked
        case failed(CommandFailure)
    }

    let person: PersonChoice
    let mesh: MeshName?
    let json: Bool
    let seconds: Int

    package init(person: PersonChoice, mesh: MeshName?, json: Bool, seconds: Int) {
        self.person = person
        self.mesh = mesh
        self.json = json
        self.seconds = seconds
    }

    package func run() async throws {
        let failure: CommandFailure?
        do {
            failure = try await watched()
        } catch {
            failure = CommandShell.failure(error)
        }
        guard let failure else { return }
        try CommandShell.show(CommandOutput(failure: failure), json: json)
        throw QuietEnd(exitCode: failure.exitCode)
    }

    private func watched() async throws -> CommandFailure? {
        try Descriptors.check()
        let directory = try person.directory(isReadOnly: true)
        let signals = await ProgramSignal.caught(.interrupt, .terminate, .hangup)
        let page = json ? nil : LivePage(term: Surroundings.variable("TERM"))
        let end = try await RunningNode.with(directory, .any) { running in
            try MeshElsewhere.check(running.me, isIn: mesh, in: directory)
            return await withTaskGroup(of: End.self) { group in
                group.addTask {
                    do {
                        try page?.begin()
                        return await show(running, page)
                    } catch {
                        return .asked  // Standard output is closed.
                    }
                }
                group.addTask {
                    for await _ in signals { break }
                    return .asked
                }
                let first = await group.next() ?? .asked
                group.cancelAll()
                // Nothing may be drawn after the terminal is restored.
                await group.waitForAll()
                return first
            }
        }
        do {
            if end != nil { try page?.end() }
        } catch {
            return nil  // The terminal is gone.
        }
        switch end {
        case nil: return RunningShow.nothingRuns(for: directory)
        case .asked: return nil
        case .failed(let failure): return failure
        }
    }

    /// Refreshes until it is cancelled.
    private func show(_ running: RunningNode, _ page: LivePage?) async -> End {
        var looks = StatsPage()
        let start = ContinuousClock.now
        var isFirst = true
        while !Task.isCancelled {
            do {
                let stats = try await Self.stats(of: running.client)
                if json {
                    try Report.output("\(StatsPage.json(stats))\n")
                } else {
                    let lines = looks.lines(
                        stats, at: start.duration(to: .now) / .seconds(1),
                        columns: page == nil ? .max : LivePage.columns)
                    if let page {
                        try page.show([title(running.me)] + lines)
                    } else {
                        try Report.output((isFirst ? "" : "\n") + lines.map { "\($0)\n" }.joined())
                    }
                }
                isFirst = false
                try await Task.sleep(for: .seconds(seconds))
            } catch let error as RequestError where error.code == .stopped {
                let text = "the node of this folder has ended"
                return .failed(CommandFailure(code: error.code.rawValue, text, exitCode: 69))
            } catch let error as RequestError {
                return .failed(CommandFailure(error))
            } catch let failure as Failure {
                return .failed(CommandFailure(code: failure.kind.code, failure.description, exitCode: failure.exitCode))
            } catch {
                return .asked  // Cancelled, or standard output is closed.
            }
        }
        return .asked
    }

    package static func stats(of node: any MeshNode) async throws(RequestError) -> NodeStats {
        try await node.perform(ShowStats())
    }

    private func title(_ me: Me) -> String {
        let name = "\(DisplayText.isolated(me.name.text))#\(me.id.short) in \(DisplayText.isolated(me.mesh.text))"
        return "\(name), \(TimeOfDay.string(Surroundings.present())), every \(seconds) s; Ctrl-C ends"
    }
}
