import Glibc
import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// Folders, each of which is one blob.
extension BlobService {
    static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Packs a folder into a draft.
    ///
    /// - Returns: the draft, and the number of files in it.
    nonisolated(nonsending) func addFolder(
        _ path: String, isSealed: Bool, at now: WallTime
    ) async throws(RequestError) -> (DraftFile, fileCount: Int) {
        let new = try await newBlob(isSealed: isSealed, path: path)
        let source: FolderSource
        do throws(FolderSourceFault) {
            source = try await FolderSource.walk(path)
        } catch {
            throw RequestError(error, path: path)
        }
        guard !source.list.entries.isEmpty else { throw .unreadable(path, "the folder has no files") }
        do throws(FolderSourceFault) {
            try await source.write(to: new)
        } catch {
            throw RequestError(error, path: path)
        }
        let draft = try await settle(new, as: FileName(ofPath: path), type: .folder, from: path, at: now)
        return (draft, source.list.entries.count)
    }
}

extension MediaType {
    static let folder = MediaType(FolderList.mediaTypeText) ?? .unknown

    var isFolder: Bool { text == FolderList.mediaTypeText }
}

extension RequestError {
    fileprivate init(_ fault: FolderSourceFault, path: String) {
        switch fault {
        case .unreadable(let path, let code):
            self = .unreadable(path, String(cString: strerror(code)))
        case .changed(let path): self = .unreadable(path, "it changed while it was read; try again")
        case .badPath(let name): self = .unreadable("\(path)/\(name)", "others cannot store this name; rename it")
        case .list(let fault): self = .unreadable(path, fault.reason)
        case .blob(let fault): self = RequestError(fault, path: path)
        case .cancelled: self = .unreadable(path, "it was cancelled")
        }
    }
}

extension RequestError {
    fileprivate static func unreadable(_ path: String, _ reason: String) -> RequestError {
        .file(fault: .failed(path: path, use: .read, reason: reason, isDiskFull: false))
    }
}

extension FolderListFault {
    fileprivate var reason: String {
        switch self {
        case .tooManyFiles(let filesMax): "a folder has at most \(filesMax) files"
        case .listTooLong: "the paths in this folder are too long; share parts of it"
        case .tooLarge: "a folder has at most 32 GiB"
        case .conflict(let one, let other): "'\(one)' and '\(other)' would be one file on some disks; rename one"
        }
    }
}
