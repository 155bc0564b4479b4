import Glibc
package import LatticeCore
package import LatticeCrypto
package import LatticeNode
package import LatticeSettings

/// The identity to use, as given by options.
package struct PersonChoice: Sendable {
    let name: PeerName?
    let dataDir: String?
    let identityPassphraseFile: String?

    package init(name: PeerName?, dataDir: String?, identityPassphraseFile: String?) {
        self.name = name
        self.dataDir = dataDir
        self.identityPassphraseFile = identityPassphraseFile
    }

    /// The passphrase file, by option or setting.
    package var passphraseFile: String? { identityPassphraseFile ?? Settings.current.text(.identityPassphraseFile) }

    /// Whether an option names the identity.
    package var isNamed: Bool { name != nil || dataDir != nil }

    /// Which identity to use if none is named.
    package enum Unnamed {
        /// The running one; if there are several, the command asks for a name.
        case running
        /// The running one; if there are several, the one used last: for commands that only read.
        case anyRunning
        /// The one used last: for commands that start a node.
        case lastUsed
    }

    /// - Parameter isReadOnly: whether a missing or read-only folder is acceptable.
    package func directory(isReadOnly: Bool = false, unnamed: Unnamed = .running) throws -> DataDirectory {
        let settings = Settings.current
        do {
            let name = name ?? settings.value(.name, Arguments.peerName)
            let folder = dataDir ?? settings.text(.dataDir)
            let chosen = try name == nil && folder == nil ? Self.whoIsRunning(unnamed) : name
            return try DataDirectory(name: chosen, directory: folder, isReadOnly: isReadOnly)
        } catch let error as DataDirectoryError {
            throw Failure(.failed, error.description)
        }
    }

    /// - Returns: `nil` for the one used last.
    private static func whoIsRunning(_ unnamed: Unnamed) throws(Failure) -> PeerName? {
        guard unnamed != .lastUsed else { return nil }
        let running = DataDirectory.running()
        guard running.count > 1 else { return running.first }
        if unnamed == .anyRunning { return nil }
        let names = running.map { DisplayText.isolated($0.text) }
        throw Failure(
            .usage,
            "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) are running here; "
                + "say who you are, such as --name \(names[0])")
    }

    /// Like `directory`, for a command that opens the store.
    ///
    /// - Parameter onlyShows: as `SharedCommand.onlyShows`.
    package func directory(isReadOnly: Bool, onlyShows: Bool) throws -> DataDirectory {
        let directory = try directory(isReadOnly: isReadOnly)
        if onlyShows, isNamed { try Self.checkSomebodyIsThere(directory, "there is nothing to show") }
        return directory.isThere ? directory : try self.directory()
    }

    /// The identity in that folder; the first start creates one.
    ///
    /// - Parameter isRemembered: whether it becomes the one used last.
    package func identity(in directory: DataDirectory, isRemembered: Bool = true) throws -> Identity {
        ProcessSecrecy.begin()
        directory.tidy()
        Self.reportNamesake(directory)
        do {
            let content = try directory.identityFile.contentOrCreate().0
            let (name, file) = (directory.name, passphraseFile)
            let isSaid = identityPassphraseFile != nil || file == nil
            let identity = try Settings.current.blaming(.identityPassphraseFile, unless: isSaid) {
                () throws(Failure) in
                try IdentityLock.opened(content, of: name, file: file)
            }
            if isRemembered { directory.remember() }
            if case .open = content, identityPassphraseFile != nil {
                Report.remark("the identity has no passphrase; \(IdentityLock.option) was not read")
            }
            return identity
        } catch let error as IdentityFileError {
            throw Failure(.failed, error.description)
        }
    }
}

extension PersonChoice {
    /// Refuses a folder without an identity: a typing error must neither create an identity nor damage other data
    /// there.
    ///
    /// - Parameter outcome: what has not happened.
    package static func checkSomebodyIsThere(_ directory: DataDirectory, _ outcome: String) throws(Failure) {
        var facts = stat()
        guard lstat(directory.identityFile.path, &facts) != 0 else { return }
        // Removes a folder that this command has just created; rmdir(2) keeps one with contents.
        rmdir(directory.path)
        throw Failure(
            .failed, "there is no identity in \(DisplayText.safe(directory.path)), so \(outcome); check --name")
    }

    /// Remarks on a new identity, so that a mistyped name is noticed at once.
    package static func reportNew(_ directory: DataDirectory) {
        guard let last = directory.lastUsed, last != directory.name, access(directory.identityFile.path, F_OK) != 0
        else {
            return
        }
        let name = DisplayText.isolated(directory.name.text)
        Report.remark("\(name) is new on this machine; if you mistyped the name: lattice wipe --name \(name)")
    }

    /// Remarks on a name that differs from an existing one only in case.
    static func reportNamesake(_ directory: DataDirectory) {
        guard access(directory.identityFile.path, F_OK) != 0, let other = directory.namesake else { return }
        let (name, before) = (DisplayText.isolated(directory.name.text), DisplayText.isolated(other))
        Report.remark(
            "\(name) is new on this machine and is not \(before); if you meant \(before): --name \(before), and lattice wipe "
                + "--name \(name)")
    }

    /// The public key, which no passphrase protects.
    package func peer(in directory: DataDirectory) throws -> PeerID {
        ProcessSecrecy.begin()
        directory.tidy()
        do {
            let peer = try directory.identityFile.contentOrCreate().0.peer
            directory.remember()
            return peer
        } catch {
            throw Failure(.failed, error.description)
        }
    }
}
