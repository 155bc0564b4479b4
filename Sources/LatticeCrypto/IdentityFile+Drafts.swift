import Glibc

// Drafts that a process killed while writing leaves beside an identity. They hold the secret, perhaps without the
// passphrase that protects the identity.
//
// Safety: the entry that readdir(3) lends is read before the next call, within the bounds of its own name.
extension IdentityFile {
    package func hasDrafts() -> Bool { !drafts().isEmpty }

    /// Overwrites and removes drafts if there is an identity. A draft that cannot be removed stays for the next time.
    ///
    /// - Precondition: nobody else writes an identity here, which the lock of the folder sees to.
    package func eraseDrafts() {
        for draft in drafts() {
            do {
                try SecretFile.erase(draft)
            } catch {
                continue
            }
        }
    }

    /// The paths of drafts beside the file that `path` resolves to.
    private func drafts() -> [String] {
        guard let resolved = realpath(path, nil) else { return [] }
        defer { free(resolved) }
        let file = String(cString: resolved)
        guard let slash = file.lastIndex(of: "/") else { return [] }
        let start = "\(file[file.index(after: slash)...])."
        guard let folder = opendir(slash == file.startIndex ? "/" : String(file[..<slash])) else { return [] }
        defer { closedir(folder) }
        var drafts: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name.hasPrefix(start), name.hasSuffix(".new") { drafts.append("\(file[...slash])\(name)") }
        }
        return drafts.sorted()
    }
}
