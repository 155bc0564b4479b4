import Glibc

extension IdentityFile {
    /// The suffix of an incomplete replacement. An interrupted change leaves only this file.
    private static let draftSuffix = ".change.new"

    /// Rewrites the identity under another passphrase, or without one.
    ///
    /// A crash leaves the old file or the new one. The old bytes are overwritten after the new file is in place; a disk
    /// that does not write in place (flash, copy on write) may keep them.
    ///
    /// - Precondition: one process at a time, which the lock of the folder sees to.
    package func replace(with identity: Identity, under sealed: SealedIdentity?) throws(IdentityFileError) {
        precondition(sealed.map { $0.peer == identity.peer } ?? true, "an identity is replaced by itself")
        var text = sealed?.text ?? IdentityText.write(identity)
        defer { IdentityText.wipe(&text) }
        try replace(with: text)
    }

    private func replace(with text: [UInt8]) throws(IdentityFileError) {
        // Without this, a symbolic link would be replaced by a file and its target would stay.
        let file = IdentityFile(path: try resolvedPath())
        let draft = file.path + Self.draftSuffix
        do {
            try SecretFile.erase(draft)
        } catch {
            throw .cannotReplace(path: path, reason: error.reason)
        }
        let old = open(file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard old >= 0 else { throw .cannotReplace(path: path, reason: lastError()) }
        defer { close(old) }
        try checkStatus(old)
        try file.putInPlace(text, draft: draft)
        do {
            try SecretFile.overwrite(old)
        } catch {
            // The new file is in place, and the old one has no name any more.
            return
        }
    }

    private func putInPlace(_ text: [UInt8], draft: String) throws(IdentityFileError) {
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotReplace(path: path, reason: lastError()) }
        var failure: String?
        do {
            try writeText(text, descriptor)
            if rename(draft, path) != 0 { failure = lastError() }
        } catch .cannotCreate(_, let reason) {
            failure = reason
        } catch {
            throw error
        }
        if let failure {
            do {
                try SecretFile.erase(draft)
            } catch {
                throw .cannotReplace(path: path, reason: "\(failure), and \(draft) is left: \(error.reason)")
            }
            throw .cannotReplace(path: path, reason: failure)
        }
        try syncDirectory()
    }

    private func resolvedPath() throws(IdentityFileError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw errno == ENOENT ? .missing(path: path) : .unreadable(path: path, reason: lastError())
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
