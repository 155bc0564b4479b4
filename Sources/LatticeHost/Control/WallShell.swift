import LatticeAPI
package import LatticeChat
import LatticeSettings

/// Prints the output of a command, and converts errors that prevent it from asking a node.
package enum WallShell {
    /// The failure if no node can be asked.
    package static func failure(_ error: any Error) -> WallFailure {
        switch error {
        case let error as RequestError: WallFailure(error)
        case let failure as WallFailure: failure
        case let error as Failure: WallFailure(code: "cannotStart", error.description, exitCode: error.exitCode)
        default: WallFailure(code: "cannotStart", "\(error)")
        }
    }

    package static func show(_ output: WallOutput, json: Bool) throws {
        // Printed at once, before any hand-over.
        let lines = json ? output.json : output.lines
        try Report.output(lines.map { "\($0)\n" }.joined() + (output.document ?? ""))
        guard !json else { return }
        output.remarks.forEach(Report.remark)
        output.failure?.lines.forEach(Report.error)
    }
}
