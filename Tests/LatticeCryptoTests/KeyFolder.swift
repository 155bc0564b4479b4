import Foundation
import Glibc
import LatticeCrypto

/// A folder of one test, gone when the test is.
final class KeyFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "lattice-key-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    var file: IdentityFile { IdentityFile(path: path + "/identity") }

    func write(_ bytes: some Sequence<UInt8>, mode: mode_t = 0o600) throws {
        try Data(bytes).write(to: URL(filePath: file.path))
        chmod(file.path, mode)
    }

    func read() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: file.path)))
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    static let isRoot = geteuid() == 0
}

func error(of body: () throws(IdentityFileError) -> Void) -> IdentityFileError? {
    do {
        try body()
        return nil
    } catch {
        return error
    }
}
