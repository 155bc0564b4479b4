package import LatticeAPI
import LatticeCore

/// The result of a command: text for people, JSON for programs, and an exit code.
package struct CommandOutput: Sendable {
    /// Standard output.
    package var lines: [String]
    /// Rows of a picture, or one sequence that draws it; written unchanged before the lines, and never for programs.
    package var picture: [String] = []
    /// Standard error: remarks that are not data.
    package var remarks: [String]
    /// JSON for programs, in place of both.
    package var objects: [JSONLine]
    package var failure: CommandFailure?
    /// A document, written unchanged after everything else, for people and programs alike.
    package var document: String?

    package init(_ lines: [String], remarks: [String] = [], objects: [JSONLine] = []) {
        self.lines = lines
        self.remarks = remarks
        self.objects = objects
    }

    package init(failure: CommandFailure) {
        self.init([])
        self.failure = failure
    }

    /// The answer if there is nothing to list; not an error.
    package static func none(_ message: String) -> CommandOutput {
        CommandOutput(
            [], remarks: [message], objects: [JSONLine([("event", .text("none")), ("message", .text(message))])])
    }

    /// 0 done, 1 refused, 2 wrong usage, 75 try again.
    package var exitCode: Int32 { failure?.exitCode ?? 0 }

    /// JSON lines for programs.
    package var json: [String] {
        (objects + (failure.map { [$0.object] } ?? [])).map(\.description)
    }
}

package struct CommandFailure: Error, Hashable, Sendable {
    /// What is wrong with one field of the input.
    package struct Fault: Hashable, Sendable {
        /// Stable, for programs: `text`, `name`, `place`, `starts`, …
        package let field: String
        /// One sentence that says what to do.
        package let reason: String

        package init(_ field: String, _ reason: String) {
            (self.field, self.reason) = (field, reason)
        }
    }

    package let code: String
    /// One sentence that says what to do.
    package let message: String
    package let faults: [Fault]
    package let exitCode: Int32
    /// People the name may have meant.
    package let candidates: [KnownPerson]

    package init(
        code: String, _ message: String, faults: [Fault] = [], exitCode: Int32 = 1,
        candidates: [KnownPerson] = []
    ) {
        self.candidates = candidates
        self.code = code
        self.message = message
        self.faults = faults
        self.exitCode = exitCode
    }

    package init(_ error: RequestError) {
        self.init(
            code: error.code.rawValue, error.words,
            faults: error.faults.map { Fault($0.field.rawValue, $0.words) }, exitCode: Self.exitCode(error.code),
            candidates: error.candidates)
    }

    /// Errors that do not depend on the store's content are usage errors.
    private static func exitCode(_ code: RequestError.Code) -> Int32 {
        switch code {
        case .busy: 75
        case .invalid, .placeNeeded: 2
        case .unknownPeer: 69
        default: 1
        }
    }

    /// What was typed is invalid.
    ///
    /// - Parameter field: the name that programs know the field by.
    package static func usage(_ message: String, field: String? = nil) -> CommandFailure {
        CommandFailure(code: "usage", message, faults: field.map { [.init($0, message)] } ?? [], exitCode: 2)
    }

    /// One sentence, or one line for each of several fields.
    package var lines: [String] {
        let lines = faults.count > 1 ? faults.map { "\($0.field): \($0.reason)" } : [message]
        return lines.map(DisplayText.safe)
    }

    package var object: JSONLine {
        let errors = faults.map { fault in
            JSONLine.Value.object(JSONLine([("field", .text(fault.field)), ("message", .text(fault.reason))]))
        }
        let people = candidates.map { JSONLine.Value.object(JSONLine(KnownJSON.members($0))) }
        return JSONLine(
            [("event", .text("error")), ("code", .text(code)), ("message", .text(message)), ("errors", .list(errors))]
                + (people.isEmpty ? [] : [("candidates", .list(people))]))
    }
}
