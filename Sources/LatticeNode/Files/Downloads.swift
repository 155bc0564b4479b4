import LatticeAPI
import LatticeCore
import LatticeWire

/// What is being fetched for a person, and where it will be saved.
struct Downloads {
    /// A file to save in a folder.
    struct Target: Hashable {
        let file: ListedFile
        let folder: String
    }

    struct Download {
        /// What a person asked for first.
        let file: ListedFile
        /// Several files may be of one blob.
        var targets: [Target] = []
        /// Pieces that are here.
        var count = 0
        var isNowhere = false
        /// The owner asked for it.
        var isOwners = false
        var isBeingSaved = false
    }

    /// Where a file was saved last, or why it was not.
    enum Outcome {
        case saved(String)
        case failed(FileFault)
    }

    /// Outcomes that are remembered.
    private static let savedMax = 1_000

    private var running: [BlobName: Download] = [:]
    private var saved: [RecordID: Outcome] = [:]

    subscript(_ name: BlobName) -> Download? { running[name] }

    mutating func begin(_ file: ListedFile, into folder: String?, isOwners: Bool = true) {
        var download = running[file.blob] ?? Download(file: file)
        if isOwners { download.isOwners = true }
        if let folder, !download.targets.contains(where: { $0.file.id == file.id && $0.folder == folder }) {
            download.targets.append(Target(file: file, folder: folder))
        }
        running[file.blob] = download
        saved[file.id] = nil
    }

    mutating func progressed(_ name: BlobName, _ count: Int) {
        running[name]?.count = count
        running[name]?.isNowhere = false
    }

    /// - Returns: the name of the file, the first time.
    mutating func nowhere(_ name: BlobName) -> FileName? {
        guard let download = running[name], !download.isNowhere else { return nil }
        running[name]?.isNowhere = true
        return download.isOwners ? download.file.name : nil
    }

    /// - Returns: `false` if it is not fetched for a person, or is being saved already.
    mutating func beginSaving(_ name: BlobName) -> Bool {
        guard let download = running[name], !download.isBeingSaved else { return false }
        running[name]?.isBeingSaved = true
        return true
    }

    /// - Returns: what to save next; `nil` if nothing is left.
    mutating func nextTarget(of name: BlobName) -> Target? {
        guard let targets = running[name]?.targets, !targets.isEmpty else { return nil }
        return running[name]?.targets.removeFirst()
    }

    mutating func end(_ name: BlobName) { running[name] = nil }

    mutating func ended(_ file: RecordID, _ outcome: Outcome) {
        if saved.count >= Self.savedMax { saved.removeAll() }
        saved[file] = outcome
    }

    func outcome(of file: RecordID) -> Outcome? { saved[file] }
}
