import Foundation

/// Open descriptors of a process, and the disk usage of its store.
extension ProcessCost {
    /// - Parameter links: how many of its sockets are links.
    /// - Returns: `nil` if only the superuser may look, as for a process that forbids dumps.
    func rest(links: Int) -> EnduranceRest? {
        guard let names = entries("fd") else { return nil }
        var rest = EnduranceRest(sockets: -links, pipes: 0, storeFiles: 0, others: 0, threads: threads())
        for name in names {
            let target: String
            do {
                target = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(identifier)/fd/\(name)")
            } catch {
                continue  // Just closed.
            }
            switch target {
            case _ where target.hasPrefix("socket:"): rest.sockets += 1
            case _ where target.hasPrefix("pipe:"): rest.pipes += 1
            case _ where target.contains(".sqlite"): rest.storeFiles += 1
            default: rest.others += 1
            }
        }
        return rest
    }

    /// The number of open descriptors; `nil` as above.
    func descriptorCount() -> Int? { entries("fd")?.count }

    func threads() -> Int { entries("task")?.count ?? 0 }

    private func entries(_ table: String) -> [String]? {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/\(table)")
        } catch {
            return nil
        }
    }
}

/// The size of a store in kilobytes: its file, and its write-ahead log.
struct StoreSize {
    private(set) var file = 0
    private(set) var log = 0

    init(in folder: URL) {
        file = Self.kilobytes(folder, ".sqlite")
        log = Self.kilobytes(folder, ".sqlite-wal")
    }

    private static func kilobytes(_ folder: URL, _ ending: String) -> Int {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }
            return try names.reduce(0) { sum, name in
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
                return sum + (attributes[.size] as? Int ?? 0) / 1_024
            }
        } catch {
            return 0  // The file is being created or deleted.
        }
    }
}
