import Foundation
import LatticeCore
import LatticeWire

/// Reads the final contents of a store through a bundle that the program exports.
enum EnduranceStore {
    /// - Parameter stick: a temporary file.
    /// - Returns: how often each line is in the store.
    static func lines(of folder: URL, in mesh: String, by program: String, through stick: URL, count: Int) throws
        -> [Int]
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["export", "--bundle", stick.path, "--data-dir", folder.path, "--mesh", mesh]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("the store in \(folder.path) was not read") }
        defer { _ = Result { try FileManager.default.removeItem(at: stick) } }
        var lines = [Int](repeating: 0, count: count)
        var reader = BundleReader()
        let file = try FileHandle(forReadingFrom: stick)
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            reader.feed(piece)
            while let bytes = try reader.next() {
                let record = try SignedRecord(decoding: bytes).record
                guard record.kind == .chat else { continue }
                let said = try ChatLine(decoding: record.body)
                if let line = EnduranceLedger.line(in: said.text), line < count { lines[line] += 1 }
            }
        }
        try reader.finish()
        return lines
    }
}
