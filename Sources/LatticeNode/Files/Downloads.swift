import LatticeAPI
import LatticeCore
import LatticeWire

/// What is being fetched for a person, and where it will be saved.
struct Downloads {
    struct Download {
        let file: RecordID
        let name: FileName
        /// It is unpacked.
        let isFolder: Bool
        /// Folders in which it will be saved.
        var folders: [String]
        /// Pieces that are here.
        var count = 0
        var isNowhere = false
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

    mutating func begin(
        _ name: BlobName, _ file: RecordID, _ fileName: FileName, isFolder: Bool, into folder: String?
    ) {
        var download = running[name] ?? Download(file: file, name: fileName, isFolder: isFolder, folders: [])
        if let folder, !download.folders.contains(folder) { download.folders.append(folder) }
        running[name] = download
        saved[file] = nil
    }

    mutating func progressed(_ name: BlobName, _ count: Int) {
        running[name]?.count = count
        running[name]?.isNowhere = false
    }

    /// - Returns: the name of the file, the first time.
    mutating func nowhere(_ name: BlobName) -> FileName? {
        guard let download = running[name], !download.isNowhere else { return nil }
        running[name]?.isNowhere = true
        return download.name
    }

    /// - Returns: `nil` if it is not fetched for a person, or is being saved already.
    mutating func beginSaving(_ name: BlobName) -> Download? {
        guard let download = running[name], !download.isBeingSaved else { return nil }
        running[name]?.isBeingSaved = true
        return download
    }

    /// - Returns: the next folder to save it in; `nil` if none is left.
    mutating func nextFolder(of name: BlobName) -> String? {
        guard let folders = running[name]?.folders, !folders.isEmpty else { return nil }
        return running[name]?.folders.removeFirst()
    }

    mutating func end(_ name: BlobName) { running[name] = nil }

    mutating func ended(_ file: RecordID, _ outcome: Outcome) {
        if saved.count >= Self.savedMax { saved.removeAll() }
        saved[file] = outcome
    }

    func outcome(of file: RecordID) -> Outcome? { saved[file] }
}
