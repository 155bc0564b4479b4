import Foundation
import Testing

let park = "40.7128,-74.0060"

/// The commands of one person.
struct PersonShell {
    let home: String
    private let name: String
    private let stage: Stage
    private let more: [String]

    /// - Parameter more: arguments of each command.
    init(_ stage: Stage, _ name: String, home: String? = nil, more: [String] = []) {
        self.more = more
        self.stage = stage
        self.name = name
        self.home = home ?? "\(stage.folder)/\(name)"
    }

    /// All objects that a command prints.
    ///
    /// - Parameter exitCode: what it is to end with; `nil` is anything.
    func all(_ arguments: String..., exitCode: Int32? = 0) async throws -> [[String: Any]] {
        try await run(arguments, exitCode: exitCode)
    }

    /// The first of them.
    func one(_ arguments: String..., exitCode: Int32? = 0) async throws -> [String: Any] {
        try #require(try await run(arguments, exitCode: exitCode).first, "\(arguments)")
    }

    private func run(_ arguments: [String], exitCode: Int32?) async throws -> [[String: Any]] {
        let command = try stage.run(arguments + ["--name", name, "--json"] + more, as: "\(arguments)", home: home)
        command.endInput()
        let code = try await command.exitCode()
        if let exitCode { try #require(code == exitCode, "\(command.transcript)") }
        return try command.output.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}
