import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import TestPictures
import Testing

@testable import LatticeNode

/// Pieces of pictures and files that programs of the owner carry between nodes that do not see each other.
@Suite(.timeLimit(.minutes(10))) struct PutPiecesTests {
    /// Two nodes without a link.
    private func apart(_ body: (Chatter, Chatter) async throws -> Void) async throws {
        let (park, lake) = (try await Chatter(try Home("park")), try await Chatter(try Home("lake")))
        try await park.run { try await lake.run { try await body(park, lake) } }
    }

    /// Everything that the first has said goes to the second, as over a bridge.
    private func carryRecords(from park: Chatter, to lake: Chatter) async throws {
        let feed = try await park.node.perform(RecordsSubscribe()).feed
        while true {
            let batch = try await park.node.nextRecords(of: feed)
            _ = try await park.node.perform(RecordsTaken(feed, batch.position))
            _ = try await lake.node.perform(RecordsPut(batch.records.map(\.bytes), via: .nats))
            if batch.live { break }
        }
        _ = try await park.node.perform(RecordsEnd(feed))
    }

    private func allPieces(
        of blob: BlobReference, namedBy record: RecordID, at chatter: Chatter
    ) async throws -> [PiecesPut.Piece] {
        var pieces: [PiecesPut.Piece] = []
        while true {
            let reply = try await chatter.node.perform(PiecesRead(blob, namedBy: record, from: pieces.count))
            try #require(reply.state == .here)
            guard !reply.pieces.isEmpty else { return pieces }
            pieces += reply.pieces.map { PiecesPut.Piece(blob, namedBy: record, $0.number, $0.bytes) }
        }
    }

    private func upload(_ bytes: [UInt8], for audience: FileAudience? = nil, at chatter: Chatter) async throws
        -> UploadID
    {
        let upload = try await chatter.node.perform(BeginUpload(for: audience)).upload
        for start in stride(from: 0, to: bytes.count, by: AppendUpload.bytesMax) {
            let part = Array(bytes[start..<min(start + AppendUpload.bytesMax, bytes.count)])
            _ = try await chatter.node.perform(AppendUpload(upload, at: Int64(start), part))
        }
        return upload
    }

    private func share(_ bytes: [UInt8], at chatter: Chatter) async throws -> (BlobReference, StoredManifest) {
        let upload = try await upload(bytes, for: .room(try RoomName("#lobby")), at: chatter)
        _ = try await chatter.node.perform(ShareUpload(upload, as: "map.pdf"))
        let file = try #require(try await chatter.store.manifests.newest(1, at: Clocks.machine()).first)
        return (BlobReference(root: file.body.blob.root, size: file.body.blob.size), file)
    }

    private func bytes(of file: StoredManifest, at chatter: Chatter) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < file.body.blob.size {
            bytes += try await chatter.node.perform(
                ReadFile(file.id.hex, from: Int64(bytes.count), length: ReadFile.lengthMax)
            ).bytes
        }
        return bytes
    }

    @Test(arguments: [900, 2_000_000]) func aFileGoesPieceByPiece(size: Int) async throws {
        try await apart { park, lake in
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let (blob, file) = try await share(content, at: park)
            let pieces = try await allPieces(of: blob, namedBy: file.id, at: park)
            #expect(pieces.map(\.number) == Array(0..<BlobShape(file.body.blob).pieceCount))
            // Nobody has heard of it there.
            let early = try await lake.node.perform(PiecesPut([pieces[0]])).answers
            #expect(early == [.unknown])
            try await carryRecords(from: park, to: lake)
            var rest = pieces[...]
            while !rest.isEmpty {
                let answers = try await lake.node.perform(PiecesPut(Array(rest.prefix(9)))).answers
                #expect(answers == rest.prefix(9).map { _ in .kept })
                rest = rest.dropFirst(9)
            }
            try await eventually("all of it is here") {
                try await lake.store.blobs.find(file.body.blob)?.isComplete == true
            }
            #expect(try await bytes(of: file, at: lake) == content)
            let false0 = PiecesPut.Piece(blob, namedBy: file.id, 0, pieces[0].bytes.map { $0 ^ 1 })
            #expect(try await lake.node.perform(PiecesPut([pieces[0], false0])).answers == [.known, .refused])
            let blobClass = try await lake.store.blobs.find(file.body.blob)?.blobClass
            #expect(blobClass == .strangers, "it is charged to its author")
        }
    }

    @Test func aPieceThatDoesNotBelongIsRefused() async throws {
        try await apart { park, lake in
            let (blob, file) = try await share([UInt8](repeating: 5, count: 100_000), at: park)
            let pieces = try await allPieces(of: blob, namedBy: file.id, at: park)
            try await carryRecords(from: park, to: lake)
            var wrong = pieces[0].bytes
            wrong[0] ^= 1
            let larger = BlobReference(root: blob.root, size: blob.size + 1)
            let absurd = BlobReference(root: blob.root, size: -1)
            let answers = try await lake.node.perform(
                PiecesPut([
                    PiecesPut.Piece(blob, namedBy: file.id, 0, wrong), pieces[1],
                    PiecesPut.Piece(blob, namedBy: file.id, 99, wrong),
                    PiecesPut.Piece(blob, namedBy: file.id, -1, wrong),
                    PiecesPut.Piece(larger, namedBy: file.id, 0, pieces[0].bytes),
                    PiecesPut.Piece(absurd, namedBy: file.id, 0, pieces[0].bytes), pieces[0],
                ])
            ).answers
            #expect(answers == [.refused, .early, .refused, .refused, .unknown, .unknown, .kept])
        }
    }

    @Test func aPhotoIsSeenByThoseWhoWaitForIt() async throws {
        try await apart { park, lake in
            let upload = try await upload(PictureFile.png(1), at: park)
            _ = try await park.node.perform(PreparePhoto(upload))
            let post = try await park.node.perform(
                NewPost(text: "bridge out", at: try .park(), photo: .upload(upload)))
            let photo = try #require(try await park.store.items.item(post.id, at: Clocks.machine())?.photo).blob
            let blob = BlobReference(root: photo.root, size: photo.size)
            let pieces = try await allPieces(of: blob, namedBy: post.id, at: park)
            try await carryRecords(from: park, to: lake)
            #expect(try await lake.node.perform(PiecesRead(blob, namedBy: post.id, from: 0)).state == .absent)
            #expect(try await lake.node.perform(PiecesPut(pieces)).answers == pieces.map { _ in .kept })
            let (seen, own) = (
                try await lake.node.perform(ReadPhoto(post.reference, .photo)).bytes,
                try await park.node.perform(ReadPhoto(post.reference, .photo)).bytes
            )
            #expect(seen == own)
            // What must not cross is not read for a bridge.
            func crosses() async throws -> PiecesRead.State {
                try await park.node.perform(PiecesRead(blob, namedBy: post.id, from: 0, crossing: true)).state
            }
            #expect(try await crosses() == .unknown)
            _ = try await park.node.perform(SetCrossing(rooms: []))
            #expect(try await crosses() == .here)
            _ = try await park.node.perform(SetCrossing(rooms: nil))
            #expect(try await crosses() == .unknown)
            // What its author deletes is given to no bridge any more.
            _ = try await park.node.perform(DeleteItem(post.reference))
            #expect(try await park.node.perform(PiecesRead(blob, namedBy: post.id, from: 0)).state == .unknown)
            try await carryRecords(from: park, to: lake)
            #expect(try await lake.node.perform(PiecesPut([pieces[0]])).answers == [.unknown])
        }
    }
}
