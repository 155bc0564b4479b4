import LatticeWire

/// What a start does with files, whenever the process or the machine stopped.
extension BlobFolder {
    /// Finds out what is here of blobs that are not complete or have no use, and removes files of no use.
    ///
    /// - Returns: one for each name, in their order.
    func recover(_ names: [BlobName]) throws(BlobFault) -> [BlobRemains] {
        var remains: [BlobRemains] = []
        for name in names { remains.append(try self.remains(of: name)) }
        try removeLeftovers()
        return remains
    }

    private func remains(of name: BlobName) throws(BlobFault) -> BlobRemains {
        let (path, target) = (paths.part(name), paths.complete(name))
        if let facts = try DiskFolder.facts(target) {
            // Only synced data gets this name; the tree got it before, or `reopen` left the tree.
            if facts.size == name.size, try hasTree(name, at: target) {
                try removeFiles(path)
                return .complete
            }
            try DiskFolder.remove(target)
        }
        guard try DiskFolder.facts(path) != nil else {
            try DiskFolder.remove(BlobPaths.tree(target))
            try removeFiles(path)
            return .nothing
        }
        // Killed between two renames.
        if BlobShape(name).height > 0, try DiskFolder.facts(BlobPaths.tree(path)) == nil {
            try DiskFolder.move(BlobPaths.tree(target), to: BlobPaths.tree(path))
        }
        guard try hasTree(name, at: path), try PieceMap.isThere(BlobPaths.map(path), of: name) else {
            try removeFiles(path)
            return .nothing
        }
        return .part(heldBytes: try heldBytes(of: name))
    }

    private func hasTree(_ name: BlobName, at path: String) throws(BlobFault) -> Bool {
        guard BlobShape(name).height > 0 else { return true }
        return try DiskFolder.facts(BlobPaths.tree(path)) != nil
    }

    private func removeFiles(_ path: String) throws(BlobFault) {
        for file in [path, BlobPaths.tree(path), BlobPaths.map(path)] { try DiskFolder.remove(file) }
    }

    /// Trees and maps without the part that they belong to.
    private func removeLeftovers() throws(BlobFault) {
        let names = try DiskFolder.names(in: paths.parts)
        let here = Set(names)
        for name in names {
            for ending in [BlobPaths.treeEnding, BlobPaths.mapEnding] where name.hasSuffix(ending) {
                if !here.contains(String(name.dropLast(ending.utf8.count))) {
                    try DiskFolder.remove("\(paths.parts)/\(name)")
                }
            }
        }
    }
}
