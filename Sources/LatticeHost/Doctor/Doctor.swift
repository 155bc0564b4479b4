package import LatticeAPI
package import LatticeChat
import LatticeCore
package import LatticeCrypto
import LatticeDiscovery
package import LatticeDoctor
import LatticeSettings

/// Examines, diagnoses and reports from this process.
package struct Doctor: Sendable {
    /// How long to listen in a chat, where the person waits.
    package static let secondsInChat = 3
    private static let dayMilliseconds: Int64 = 86_400_000

    package var wish: Facts.Wish
    /// This person's data folder; `nil` if it cannot be determined.
    package var folder: String?
    /// The problem with it, and what to do about it.
    package var dataObjection: String?
    let seconds: Int

    package init(wish: Facts.Wish, folder: String?, seconds: Int) {
        (self.wish, self.folder, self.seconds) = (wish, folder, seconds)
    }

    /// The network configuration that a node with these options would use.
    package static func wish(_ network: NetworkChoice, key: MeshKey?) throws -> Facts.Wish {
        let settings = Settings.current
        let mesh = try SettledMesh.name(network.mesh)
        return Facts.Wish(
            mesh: mesh, isClosed: network.closed.isClosed, meshTags: tags(of: mesh, key, network),
            discovery: network.discovery ?? settings.text(.discovery).flatMap(DiscoveryMode.init) ?? .auto,
            interface: network.interface ?? settings.text(.interface),
            port: UInt16(network.port ?? settings.number(.port) ?? 0),
            given: network.peer.isEmpty ? settings.peers : network.peer)
    }

    /// Mesh tags in announcements. Those of a closed mesh change daily, and clocks may differ by a day.
    private static func tags(of mesh: MeshName, _ key: MeshKey?, _ network: NetworkChoice) -> [UInt32] {
        guard let key else { return network.closed.isClosed ? [] : [Digest.meshTag(mesh)] }
        let today = Surroundings.present().milliseconds / dayMilliseconds
        return (today - 1...today + 1).map { key.announcedTag(day: $0) }
    }

    /// - Parameters:
    ///   - node: this person's running node.
    ///   - objection: why a running node does not answer.
    ///   - elsewhere: the other mesh in which a node runs.
    package func diagnosis(
        of node: (any MeshNode)?, objection: String? = nil, elsewhere: String? = nil
    ) async -> Diagnosis {
        var facts = await Examination(wish, folder: folder, seconds: seconds).facts(of: node)
        facts.nodeObjection = objection
        facts.nodeElsewhere = elsewhere
        facts.machine.dataObjection = dataObjection
        return Diagnosis(facts)
    }

    package func output(_ diagnosis: Diagnosis, context: CommandContext) -> CommandOutput {
        let report = DoctorReport(diagnosis, isChat: context.isChat, isUTF8: context.isUTF8)
        return CommandOutput(report.lines, objects: [DoctorJSON.object(diagnosis)])
    }
}

enum DoctorJSON {
    static func object(_ diagnosis: Diagnosis) -> JSONLine {
        let findings = diagnosis.findings.map { finding in
            JSONLine.Value.object(
                JSONLine([
                    ("code", .text(finding.code.rawValue)), ("severity", .text("\(finding.severity)")),
                    ("message", .text(finding.text)), ("remedy", .text(finding.remedy)),
                ]))
        }
        let checks = diagnosis.checks.map { check in
            JSONLine.Value.object(
                JSONLine([
                    ("check", .text(check.subject.rawValue)), ("state", .text(check.state.rawValue)),
                    ("message", .text(check.text)),
                ]))
        }
        return JSONLine([
            ("event", .text("doctor")), ("verdict", .text(diagnosis.verdict.rawValue)),
            ("message", .text(diagnosis.summary)), ("findings", .list(findings)), ("checks", .list(checks)),
        ])
    }
}
