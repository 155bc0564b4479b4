import Foundation
import Synchronization

/// A base map that is kept here.
package struct KeptMap: Sendable {
    /// The name of its file, with `.mbtiles`.
    package let name: String
    package let bytes: Int64
    /// Why it cannot be read.
    package let contents: Result<TileArchive, TileArchiveError>
    /// Which file it is, and as it was when.
    fileprivate let version: FileVersion
}

private struct FileVersion: Equatable {
    let file: UInt64
    let bytes: Int64
    let seconds: Int
    let nanoseconds: Int

    init(_ facts: stat) {
        (file, bytes) = (UInt64(facts.st_ino), Int64(facts.st_size))
        (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
    }
}

/// The folder in which base maps are kept: all MBTiles files in it are one map.
package final class TileFolder: Sendable {
    package static let end = ".mbtiles"
    /// More are not looked at.
    package static let countMax = 32

    package let path: String
    private let known = Mutex(Known())

    private struct Known {
        /// When a file came, went or was renamed last.
        var stamp: FileVersion?
        var maps: [KeptMap] = []
    }

    package init(_ path: String) { self.path = path }

    /// By the end of its name; case does not count.
    package static func isMap(_ name: String) -> Bool { name.lowercased().hasSuffix(end) }

    /// By name. Those are opened that are new since the last time.
    package var maps: [KeptMap] {
        known.withLock { known in
            let stamp = stamp()
            guard stamp == nil || stamp != known.stamp else { return known.maps }
            known.maps = stamp == nil ? [] : read(known.maps)
            known.stamp = stamp
            return known.maps
        }
    }

    /// Those that can be read.
    package var archives: [TileArchive] {
        maps.compactMap { if case .success(let archive) = $0.contents { archive } else { nil } }
    }

    /// The tile from the first map that has it, with its media type.
    ///
    /// - Parameter row: counted from the north.
    package func tile(zoom: Int, column: Int, row: Int) -> (bytes: [UInt8], type: String)? {
        for archive in archives where archive.zooms.contains(zoom) {
            do {
                if let bytes = try archive.tile(zoom: zoom, column: column, row: row) { return (bytes, archive.type) }
            } catch {
                continue  // A damaged page; another map may have the tile.
            }
        }
        return nil
    }

    /// - Throws: what the system says.
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    private func stamp() -> FileVersion? {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
        return FileVersion(facts)
    }

    private func read(_ before: [KeptMap]) -> [KeptMap] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            return []  // The folder went meanwhile.
        }
        let wanted = names.filter { Self.isMap($0) && !$0.hasPrefix(".") }.sorted().prefix(Self.countMax)
        return wanted.compactMap { name in
            let file = "\(path)/\(name)"
            var facts = stat()
            guard lstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
            let version = FileVersion(facts)
            if let map = before.first(where: { $0.name == name && $0.version == version }) { return map }
            let contents: Result<TileArchive, TileArchiveError>
            do throws(TileArchiveError) {
                contents = .success(try TileArchive(path: file))
            } catch {
                contents = .failure(error)
            }
            return KeptMap(name: name, bytes: version.bytes, contents: contents, version: version)
        }
    }
}
