import Foundation
import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

/// The base maps that are kept in the owner's folder.
struct MapShelf: Sendable {
    let folder: TileFolder

    /// - Parameter store: path of the store; the maps stand beside it.
    init(beside store: String) {
        let folder = URL(filePath: store).deletingLastPathComponent().path
        self.folder = TileFolder("\(folder)/\(DataDirectory.mapsName)")
    }

    /// Off the node's loop: files of strangers are opened.
    @concurrent func kept() async -> [BaseMapInfo] { folder.maps.map(BaseMapInfo.init) }

    /// - Returns: `nil` for a file that is no map.
    @concurrent static func archive(_ path: String) async -> TileArchive? {
        guard TileFolder.isMap(path) else { return nil }
        do {
            return try TileArchive(path: path)
        } catch {
            return nil  // It is shared as any file.
        }
    }

    @concurrent func add(_ path: String) async throws(RequestError) -> BaseMapInfo {
        // A pipe or a device would be read for ever.
        _ = try SourceFile(path)
        do throws(TileArchiveError) {
            _ = try TileArchive(path: path)
        } catch {
            throw .file(fault: .failed(path: path, use: .read, reason: error.reason, isDiskFull: false))
        }
        var name = String(FileName(ofPath: path).text.drop { $0 == "." })
        if name.isEmpty { name = "map" }
        if !TileFolder.isMap(name) { name = Self.file(name) }
        let before = await kept()
        guard before.count < TileFolder.countMax || before.contains(where: { $0.name == name }) else {
            throw .file(
                fault: .failed(
                    path: folder.path, use: .write, reason: "\(TileFolder.countMax) maps are kept; remove one",
                    isDiskFull: false))
        }
        let (draft, target) = ("\(folder.path)/.\(UUID()).new", "\(folder.path)/\(name)")
        do {
            try FileManager.default.createDirectory(
                atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { unlink(draft) }
            try FileManager.default.copyItem(atPath: path, toPath: draft)
            guard rename(draft, target) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        } catch {
            throw Self.fault(error, at: target)
        }
        guard let map = await kept().first(where: { $0.name == name }) else {
            throw .file(fault: .failed(path: target, use: .read, reason: "it was removed meanwhile", isDiskFull: false))
        }
        return map
    }

    @concurrent func remove(_ name: String) async throws(RequestError) -> BaseMapInfo {
        guard let map = await kept().first(where: { $0.name == name || $0.name == Self.file(name) }) else {
            throw .unknownMap(name: name)
        }
        do {
            try folder.remove(map.name)
        } catch {
            throw Self.fault(error, at: "\(folder.path)/\(map.name)")
        }
        return map
    }

    static func file(_ name: String) -> String { name + TileFolder.end }

    private static func fault(_ error: any Error, at path: String) -> RequestError {
        let error = error as NSError
        let system = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        if system.domain == NSPOSIXErrorDomain, system.code == Int(ENOSPC) || system.code == Int(EDQUOT) {
            return .file(fault: .diskFull(path: path))
        }
        if error.domain == NSCocoaErrorDomain, error.code == CocoaError.fileWriteOutOfSpace.rawValue {
            return .file(fault: .diskFull(path: path))
        }
        return .file(
            fault: .failed(path: path, use: .write, reason: system.localizedDescription, isDiskFull: false))
    }
}

extension BaseMapInfo {
    fileprivate init(_ map: KeptMap) {
        switch map.contents {
        case .success(let archive):
            self.init(
                name: map.name, size: map.bytes, title: archive.name, bounds: archive.bounds, zooms: archive.zooms,
                attribution: archive.attribution)
        case .failure(let error): self.init(name: map.name, size: map.bytes, problem: error.reason)
        }
    }
}
