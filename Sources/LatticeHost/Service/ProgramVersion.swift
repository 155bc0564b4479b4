import CVersion
import LatticeNode
import LatticeStore
import LatticeWire

/// The text of `--version`: program, protocol and store versions.
package enum ProgramVersion {
    /// Semantic Versioning 2.0.0.
    package static let number = "0.1.0"

    /// The commit of the build; empty if unknown.
    // Safety: the C side gives text that lives as long as the program.
    static var commit: String { String(cString: lattice_commit()) }

    /// The first line: `lattice 0.1.0 (0123456789ab)`.
    package static var program: String { commit.isEmpty ? "lattice \(number)" : "lattice \(number) (\(commit))" }

    package static var text: String {
        let spoken = "session \(NodeConfiguration.sessionVersion), record \(Record.version), store \(Store.version)"
        return "\(program)\n\(spoken)"
    }
}
