import CVersion
import LatticeNode
import LatticeStore
import LatticeWire

/// What `--version` tells: which program this is, and what it speaks and reads.
enum ProgramVersion {
    /// Semantic Versioning 2.0.0.
    private static let number = "0.1.0"

    // Safety: the C side gives text that lives as long as the program.
    /// The first line of it: `lattice 0.1.0 (0123456789ab)`.
    static var program: String {
        let commit = String(cString: lattice_commit())
        return commit.isEmpty ? "lattice \(number)" : "lattice \(number) (\(commit))"
    }

    static var text: String {
        let spoken = "session \(NodeConfiguration.sessionVersion), record \(Record.version), store \(Store.version)"
        return "\(program)\n\(spoken)"
    }
}
