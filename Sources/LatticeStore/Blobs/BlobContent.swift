import LatticeCrypto
import LatticeWire

/// What a complete blob holds, leaf by leaf: proven, and opened if it is encrypted.
struct BlobContent {
    private var files: PieceFiles
    private let opener: FileOpener?
    private var leaf = 0

    /// - Parameter file: of an encrypted blob, which is this one.
    init(_ files: PieceFiles, _ file: SealedFile?) {
        precondition(file.map { $0.blob == files.name } ?? true, "the key belongs to the blob")
        self.files = files
        opener = file.map(FileOpener.init)
    }

    var byteCount: Int64 { opener?.shape.plainBytes ?? files.name.size }

    /// - Returns: the bytes of the next leaf, which can be none; `nil` after the last one.
    /// - Throws: `BlobFault.damaged`, `BlobFault.notOpened`
    mutating func next() throws(BlobFault) -> [UInt8]? {
        guard leaf < files.shape.leafCount else { return nil }
        let number = files.shape.number(of: .leaf(leaf))
        let bytes = try files.read(number)
        guard try files.proves(bytes, isPiece: number) else { throw .damaged(piece: number) }
        defer { leaf += 1 }
        guard let opener else { return bytes }
        do throws(CryptoError) {
            return try opener.open(bytes[...], leaf: leaf)
        } catch {
            throw .notOpened(piece: number)
        }
    }
}
