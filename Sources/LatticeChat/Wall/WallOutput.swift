package import LatticeAPI
import LatticeCore

/// What a command of the wall has to say: to people, to programs, and with which code it ends.
package struct WallOutput: Sendable {
    /// For standard output.
    package var lines: [String]
    /// For standard error: what is no data.
    package var remarks: [String]
    /// For programs instead of either.
    package var objects: [JSONLine]
    package var failure: WallFailure?
    /// Whole and as it is, for people and programs alike, after everything else.
    package var document: String?

    package init(_ lines: [String], remarks: [String] = [], objects: [JSONLine] = []) {
        self.lines = lines
        self.remarks = remarks
        self.objects = objects
    }

    package init(failure: WallFailure) {
        self.init([])
        self.failure = failure
    }

    /// What there is to say where there is nothing to list: an answer, not an error.
    package static func none(_ message: String) -> WallOutput {
        WallOutput(
            [], remarks: [message], objects: [JSONLine([("event", .text("none")), ("message", .text(message))])])
    }

    /// 0 done, 1 refused, 2 wrong usage, 75 try again.
    package var exitCode: Int32 { failure?.exitCode ?? 0 }

    /// What a program reads, a line each.
    package var json: [String] {
        (objects + (failure.map { [$0.object] } ?? [])).map(\.description)
    }
}

/// Why a command of the wall was not carried out.
package struct WallFailure: Error, Hashable, Sendable {
    package let code: String
    /// One sentence that says what to do.
    package let message: String
    package let faults: [RequestError.FieldFault]
    package let exitCode: Int32
    /// Who may have been meant, where several people are called so.
    package let candidates: [KnownPerson]

    package init(
        code: String, _ message: String, faults: [RequestError.FieldFault] = [], exitCode: Int32 = 1,
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
            code: error.code.rawValue, error.description, faults: error.faults, exitCode: Self.exitCode(error.code),
            candidates: error.candidates)
    }

    /// What is wrong whatever the store holds is wrong usage.
    private static func exitCode(_ code: RequestError.Code) -> Int32 {
        switch code {
        case .busy: 75
        case .invalid, .placeNeeded: 2
        case .unknownPeer: 69
        default: 1
        }
    }

    /// What was typed means nothing.
    ///
    /// - Parameter field: what is at fault, as programs call it.
    package static func usage(_ message: String, field: String? = nil) -> WallFailure {
        WallFailure(code: "usage", message, faults: field.map { [.init($0, message)] } ?? [], exitCode: 2)
    }

    /// One sentence, or where several fields are at fault a line for each.
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
