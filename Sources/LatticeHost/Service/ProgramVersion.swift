import CVersion
import LatticeNode
import LatticeStore
import LatticeWire

/// What `--version` tells: which program this is, and what it speaks and reads.
package enum ProgramVersion {
    /// Semantic Versioning 2.0.0.
    package static let number = "0.1.0"

    /// As it was built; empty where that is not known.
    // Safety: the C side gives text that lives as long as the program.
    static var commit: String { String(cString: lattice_commit()) }

    /// The first line of it: `lattice 0.1.0 (0123456789ab)`.
    package static var program: String { commit.isEmpty ? "lattice \(number)" : "lattice \(number) (\(commit))" }

    package static var text: String {
        let spoken = "session \(NodeConfiguration.sessionVersion), record \(Record.version), store \(Store.version)"
        return "\(program)\n\(spoken)"
    }
}
