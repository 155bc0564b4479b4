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
        /// Visitors who asked for it, with what counted for each.
        var visitors: [PeerID: Taken] = [:]
        var isBeingSaved = false
    }

    /// What a download took of a visitor's day.
    struct Taken: Equatable {
        let bytes: Int64
        let date: WallTime
    }

    enum Asker {
        case owner
        case visitor(PeerID, Taken)
    }

    /// What follows when a visitor no longer wants a file.
    enum Withdrawal: Equatable {
        /// This visitor did not ask for it.
        case notAsked
        /// Somebody else asked for it, too.
        case goesOn
        /// Nobody wants it now.
        case ends(Taken)
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

    mutating func begin(_ file: ListedFile, into folder: String?, for asker: Asker = .owner) {
        var download = running[file.blob] ?? Download(file: file)
        switch asker {
        case .owner: download.isOwners = true
        case .visitor(let visitor, let taken): download.visitors[visitor] = taken
        }
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

    /// A visitor wants what is being fetched already.
    mutating func join(_ name: BlobName, _ visitor: PeerID, at now: WallTime) {
        guard let download = running[name], download.visitors[visitor] == nil else { return }
        running[name]?.visitors[visitor] = Taken(bytes: 0, date: now)
    }

    /// Whether this visitor asked for it.
    func isWanted(_ name: BlobName, by visitor: PeerID) -> Bool { running[name]?.visitors[visitor] != nil }

    mutating func withdraw(_ name: BlobName, _ visitor: PeerID) -> Withdrawal {
        guard let taken = running[name]?.visitors.removeValue(forKey: visitor) else { return .notAsked }
        guard let download = running[name], !download.isOwners, download.visitors.isEmpty else { return .goesOn }
        return .ends(taken)
    }

    mutating func end(_ name: BlobName) { running[name] = nil }

    mutating func ended(_ file: RecordID, _ outcome: Outcome) {
        if saved.count >= Self.savedMax { saved.removeAll() }
        saved[file] = outcome
    }

    func outcome(of file: RecordID) -> Outcome? { saved[file] }
}
