import LatticeAPI
package import LatticeChat
import LatticeSettings

/// Prints the output of a command, and converts errors that prevent it from asking a node.
package enum CommandShell {
    package static func failure(_ error: any Error) -> CommandFailure {
        switch error {
        case let error as RequestError: CommandFailure(error)
        case let failure as CommandFailure: failure
        case let error as Failure: CommandFailure(code: "cannotStart", error.description, exitCode: error.exitCode)
        default: CommandFailure(code: "cannotStart", "\(error)")
        }
    }

    package static func show(_ output: CommandOutput, json: Bool) throws {
        // Printed at once, before any hand-over.
        let lines = json ? output.json : output.picture + output.lines
        try Report.output(lines.map { "\($0)\n" }.joined() + (output.document ?? ""))
        guard !json else { return }
        output.remarks.forEach(Report.remark)
        output.failure?.lines.forEach(Report.error)
    }
}
