import Glibc
import LatticeCrypto
import LatticeWire

/// The files of a blob that a person adds. It is encrypted, if need be, and hashed while it is written, in one pass.
final class BlobUpload {
    private let path: String
    private let bytesMax: Int64
    private let data: DiskFile
    /// Created with the first node.
    private var tree: DiskFile?
    private var nodeCount = 0
    private var builder: BlobTree.Builder
    /// `nil` for a blob that is not encrypted.
    private let sealer: FileSealer?
    /// Once something was not written, nothing more is.
    private var fault: BlobFault?
    private(set) var name: BlobName?

    /// - Parameter bytesMax: of what a person adds, without padding and tags.
    init(path: String, bytesMax: Int64, sealer: FileSealer? = nil) throws(BlobFault) {
        self.path = path
        self.bytesMax = bytesMax
        self.sealer = sealer
        builder = BlobTree.Builder(sizeMax: sealer == nil ? bytesMax : BlobName.sizeMax)
        data = try DiskFile(path, O_RDWR | O_CREAT | O_EXCL)
    }

    func append(_ bytes: [UInt8]) throws(BlobFault) {
        try check()
        guard let sealer else { return try store(bytes) }
        guard Int64(bytes.count) <= bytesMax - sealer.plainBytes, let sealed = sealer.append(bytes[...]) else {
            throw fail(.tooLarge(bytesMax: bytesMax))
        }
        try store(sealed)
    }

    private func store(_ bytes: [UInt8]) throws(BlobFault) {
        let start = builder.size
        guard builder.append(bytes[...]) else { throw fail(.tooLarge(bytesMax: bytesMax)) }
        do {
            try data.write(bytes[...], at: start)
            try write(builder.takeNodes())
        } catch {
            throw fail(error)
        }
    }

    /// - Returns: whether more padding is left to write.
    func padSome() throws(BlobFault) -> Bool {
        if name != nil { return false }
        try check()
        guard let sealed = sealer?.pad(), !sealed.isEmpty else { return false }
        try store(sealed)
        return true
    }

    /// The padding must be written.
    func sealFile(as name: FileName, type: MediaType, preview: [UInt8]?) throws(BlobFault) -> SealedFile {
        guard let sealer else { throw .closed }
        return sealer.file(try seal(), name: name, type: type, preview: preview)
    }

    /// Writes what is left of the tree, and returns when all is on the disk.
    func seal() throws(BlobFault) -> BlobName {
        if let name { return name }
        try check()
        let (name, nodes) = builder.finish()
        do {
            try write(nodes)
            try data.sync()
            try tree?.sync()
        } catch {
            throw fail(error)
        }
        self.name = name
        return name
    }

    /// What has come so far of a blob that is not encrypted.
    ///
    /// - Throws: `BlobFault.tooLarge`
    func bytes(max: Int) throws(BlobFault) -> [UInt8] {
        if let fault { throw fault }
        precondition(sealer == nil, "the plaintext is not on the disk")
        guard builder.size <= Int64(max) else { throw .tooLarge(bytesMax: Int64(max)) }
        return try data.read(at: 0, count: Int(builder.size))
    }

    private func check() throws(BlobFault) {
        if let fault { throw fault }
        guard name == nil else { throw .closed }
    }

    private func fail(_ fault: BlobFault) -> BlobFault {
        self.fault = fault
        return fault
    }

    private func write(_ nodes: [[UInt8]]) throws(BlobFault) {
        for node in nodes {
            let file: DiskFile
            if let tree {
                file = tree
            } else {
                file = try DiskFile(BlobPaths.tree(path), O_RDWR | O_CREAT | O_EXCL)
                tree = file
            }
            try file.write(node[...], at: Int64(nodeCount) * Int64(BlobShape.leafBytes))
            nodeCount += 1
        }
    }

    /// Gives the files of a sealed blob their name.
    func place(in folder: BlobFolder) throws(BlobFault) {
        guard let name else { throw .closed }
        try folder.place(name, from: path)
    }

    /// Removes the files.
    func cancel() throws(BlobFault) {
        try DiskFolder.remove(path)
        try DiskFolder.remove(BlobPaths.tree(path))
    }
}
