import Foundation
import LatticeCore
import LatticeStore
import LatticeWire

/// A folder of one test's, gone with it.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "lattice-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var path: String { url.appending(path: "lattice.sqlite").path }

    func store(of owner: Author, quota: StoreQuota = StoreQuota()) throws -> Store {
        try Store(path: path, owner: owner.peer, quota: quota)
    }
}
