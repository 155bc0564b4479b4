import LatticeAPI
import LatticeCore
import LatticeWire

/// Visitors fetch files, and stop that.
enum VisitorFetches {
    /// Fetches a file for a visitor.
    static func begin(
        _ file: ListedFile, by visitor: PeerID, in blobs: BlobService, on node: isolated Node
    ) async throws(RequestError) {
        let taken = Downloads.Taken(bytes: file.size, date: node.clock.now)
        try await blobs.visitorDays.take(taken.bytes, of: visitor, at: taken.date)
        do throws(RequestError) {
            try await blobs.get(file, into: nil, by: .visitor(visitor, taken), for: node)
        } catch {
            await blobs.visitorDays.giveBack(taken.bytes, of: visitor, takenAt: taken.date)
            throw error
        }
    }

    /// Stops fetching for a visitor, unless somebody else wants the file, too. What did not come does not count.
    ///
    /// - Throws: `ownerOnly` if this visitor did not ask for it.
    static func end(
        _ file: ListedFile, by visitor: PeerID, in blobs: BlobService, on node: isolated Node
    ) async throws(RequestError) {
        let name = file.blob
        guard let download = blobs.downloads[name] else { return }
        switch blobs.downloads.withdraw(name, visitor) {
        case .notAsked: throw .ownerOnly
        case .goesOn: return
        case .ends(let taken):
            let came = file.size * Int64(download.count) / Int64(BlobShape(name).pieceCount)
            await blobs.cancel(file, for: node)
            await blobs.visitorDays.giveBack(taken.bytes - came, of: visitor, takenAt: taken.date)
        }
    }
}
