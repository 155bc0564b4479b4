import LatticeAPI
package import LatticeChat
import LatticeSettings

/// What a command prints, and how it ends where there is nobody to ask.
package enum WallShell {
    /// Why there is not even somebody to ask.
    package static func failure(_ error: any Error) -> WallFailure {
        switch error {
        case let error as RequestError: WallFailure(error)
        case let failure as WallFailure: failure
        case let error as Failure: WallFailure(code: "cannotStart", error.description, exitCode: error.exitCode)
        default: WallFailure(code: "cannotStart", "\(error)")
        }
    }

    package static func show(_ output: WallOutput, json: Bool) throws {
        // What is seen before a hand-over stands there at once.
        let lines = json ? output.json : output.lines
        try Report.output(lines.map { "\($0)\n" }.joined() + (output.document ?? ""))
        guard !json else { return }
        output.remarks.forEach(Report.remark)
        output.failure?.lines.forEach(Report.error)
    }
}
