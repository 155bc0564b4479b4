import LatticeAPI
import LatticeCore

/// The report for people: verdict, advice, checks, and the workaround.
package struct DoctorReport: Sendable {
    private let diagnosis: Diagnosis
    /// Whether commands begin with `/` and not with `lattice `.
    private let isChat: Bool
    private let isUTF8: Bool

    package init(_ diagnosis: Diagnosis, isChat: Bool = false, isUTF8: Bool = true) {
        self.diagnosis = diagnosis
        self.isChat = isChat
        self.isUTF8 = isUTF8
    }

    package var lines: [String] {
        let hindering = diagnosis.findings.filter { $0.severity < .notes }
        var lines = [diagnosis.summary]
        lines += hindering.first.map(remedy) ?? []
        for finding in hindering.dropFirst() { lines += ["also: \(finding.text)"] + remedy(finding) }
        for finding in diagnosis.findings where finding.severity == .notes {
            lines += ["note: \(finding.text)"] + remedy(finding)
        }
        lines.append("checked:")
        lines += diagnosis.checks.map { "  \(mark($0.state)) \($0.text)" }
        guard diagnosis.verdict != .well else { return lines }
        return lines + [diagnosis.wayRound]
    }

    private func remedy(_ finding: Finding) -> [String] {
        finding.remedy.map { ["  \(isUTF8 ? "→" : "->") \(called($0))"] } ?? []
    }

    /// Writes commands that the chat has as well with a slash.
    private func called(_ text: String) -> String {
        guard isChat else { return text }
        return ["unblock", "contacts", "bridge"].reduce(text) { $0.replacing("lattice \($1)", with: "/\($1)") }
    }

    private func mark(_ state: Check.State) -> String {
        switch state {
        case .good: isUTF8 ? "✓" : "+"
        case .bad: isUTF8 ? "✗" : "x"
        case .open: isUTF8 ? "·" : "-"
        }
    }
}

extension Diagnosis {
    /// The first line: the main problem, or that there is none.
    package var summary: String {
        switch verdict {
        case .hindered: findings.first.map { $0.text } ?? "something is wrong"
        case .alone:
            "nothing is wrong here, but nobody from your mesh (\(mesh)) is in sight; is anybody else running lattice?"
        case .well where !linked.isEmpty && checks.contains { $0.state == .bad }:
            "you are linked with \(Told.names(linked.map(\.name))); the problem below does not stop that"
        case .well where !linked.isEmpty: "all is well: you are linked with \(Told.names(linked.map(\.name)))"
        case .well:
            mates.isEmpty
                ? "all is well: the address you gave accepts connections"
                : "all is well: \(Told.names(mates.map(\.name))) can be reached"
        }
    }

    /// How to link without discovery.
    package var wayRound: String {
        "workaround: run 'lattice invite' and send them the link; they run: lattice join LINK"
    }
}
