import Foundation
import LatticeAPI
import LatticeCore
import LatticeStore
import Testing

@testable import LatticeNode

/// Files that fronts upload.
struct UploadTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-upload-\(UUID().uuidString)")
    private let now = Instant(nanoseconds: 1_000)
    private let me = PeerID(.zero)

    private func withFiles(_ body: (BlobFiles) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = try BlobFiles(beside: folder.appending(path: "lattice.sqlite").path)
        try await body(files)
        await files.close()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func bytesComeInOrder() async throws {
        try await withFiles { files in
            var uploads = Uploads()
            let id = UploadID(1)
            uploads.begin(id, try await files.add(), for: nil, by: me, at: now)
            _ = try uploads.append(AppendUpload(id, at: 0, [1, 2]), by: me, at: now)
            #expect(throws: RequestError.uploadBusy) {
                try uploads.append(AppendUpload(id, at: 2, [3]), by: me, at: now)
            }
            #expect(throws: RequestError.uploadBusy) { try uploads.finish(id) }
            uploads.stored(id)
            #expect(throws: RequestError.wrongOffset(expected: 2)) {
                try uploads.append(AppendUpload(id, at: 0, [1, 2]), by: me, at: now)
            }
            #expect(throws: RequestError.unknownItem(id: id.hex)) {
                try uploads.append(AppendUpload(id, at: 2, [3]), by: PeerID(Bytes32(words: (1, 0, 0, 0))), at: now)
            }
            // A piece that came already ends nothing, however full it is.
            #expect(throws: RequestError.wrongOffset(expected: 2)) {
                try uploads.append(AppendUpload(id, at: 0, [1, 2]), by: me, bytesMax: 2, at: now)
            }
            _ = try uploads.append(AppendUpload(id, at: 2, [3]), by: me, at: now)
            let other = UploadID(2)
            #expect(throws: RequestError.unknownItem(id: "0000000000000002")) {
                try uploads.append(AppendUpload(other, at: 0, []), by: me, at: now)
            }
            let ended = [uploads.end(id), uploads.end(id)]
            #expect(ended.map { $0 == nil } == [false, true])
        }
    }

    @Test func whatIsLeftAloneIsForgotten() async throws {
        try await withFiles { files in
            var uploads = Uploads()
            for number in 0..<BeginUpload.countMax {
                #expect(!uploads.isFull)
                uploads.begin(UploadID(UInt64(number)), try await files.add(), for: nil, by: me, at: now)
            }
            #expect(uploads.isFull)
            _ = try uploads.append(AppendUpload(UploadID(3), at: 0, [1]), by: me, at: now.advanced(by: .seconds(500)))
            uploads.removeIdle(at: now.advanced(by: .seconds(700)))
            let left = (0..<BeginUpload.countMax).filter { uploads.end(UploadID(UInt64($0))) != nil }
            #expect(left == [3])
        }
    }

    @Test func anUploadHasSixteenDigits() throws {
        #expect(UploadID(0xAB).hex == "00000000000000ab" && UploadID(hex: "00000000000000ab") == UploadID(0xAB))
        for text in ["", "ab", "00000000000000ag", "00000000000000ab0", "+0000000000000ab"] {
            #expect(UploadID(hex: text) == nil)
        }
    }
}
