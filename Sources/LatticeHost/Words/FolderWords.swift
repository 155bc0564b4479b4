import LatticeChat
import LatticeCore
import LatticeCrypto
package import LatticeNode

// What is wrong with this person's folder, in the words of the terminal.

extension DataDirectoryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noHome: "there is no home directory; set HOME or XDG_DATA_HOME, or give a folder with --data-dir"
        case .cannotMake(let path, let reason):
            "cannot use \(path): \(reason); give another folder with --data-dir, or set XDG_DATA_HOME"
        case .inUse(let path, let name, let process, _):
            Self.inUse(path, name, process)
                + (name == nil ? "give another folder with --data-dir" : "use another name with --name")
                + ", or end that process first"
        case .cannotRead(let path, let reason): "cannot read \(path): \(reason); repair the file or move it away"
        case .cannotWrite(let path, let reason): "cannot write \(path): \(reason); make it writable, or free some space"
        case .badList(let path, let line):
            "line \(line) of \(path) is not an id; write one id of 64 digits on each line, as 'lattice id' prints it"
        case .linked(let path, let target):
            "nothing was removed: \(path) is a link to \(target), and that file would stay; move it here "
                + "(mv \(target) \(path)) to have it removed, or delete the link"
        case .linkedFolder(let path, let target):
            "nothing was removed: the folder \(path) is a link to \(target); use --data-dir \(target)"
        case .tokenReadableByOthers(let path, let mode):
            "other users can read the token \(path) (mode \(String(mode, radix: 8))); run: chmod 600 \(path), "
                + "or delete it, and a new one is created"
        }
    }

    /// Like the description of a folder in use, for what concerns its owner alone, who cannot act under another name.
    package var toEndFirst: String {
        guard case .inUse(let path, let name, let process, _) = self else { return description }
        return Self.inUse(path, name, process) + "end that process first"
    }

    private static func inUse(_ path: String, _ name: String?, _ process: String?) -> String {
        "\(name.map(DisplayText.isolated) ?? path) is in use by \(process.map { "process \($0)" } ?? "another process"); "
    }
}

extension FolderFault {
    package var words: String {
        switch self {
        case .identity(let error): error.description
        case .lock(let path, let reason): "cannot use \(path) (\(reason)); move it away, and a new one is created"
        case .store(let fault): fault.words
        }
    }
}

extension GPSD.Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let address, let reason): "gpsd does not answer at \(address) (\(reason)); start it"
        case .noFix: "gpsd has no fix yet; wait outdoors and try again"
        case .notGPSD(let address): "the program at \(address) is not gpsd; give another address with --gpsd-host"
        }
    }
}
