package import LatticeCore
package import LatticeCrypto
package import LatticeNode
package import LatticeSettings

/// Whether the mesh is closed, and the source of its passphrase, as given by options.
package struct ClosedMeshChoice: Sendable {
    let passphraseFile: String?
    let passphrase: Bool

    package init(passphraseFile: String?, passphrase: Bool) {
        self.passphraseFile = passphraseFile
        self.passphrase = passphrase
    }

    /// By option or setting.
    package var isClosed: Bool { passphrase || file != nil }

    /// Whether an option was given.
    package var isSaid: Bool { passphrase || passphraseFile != nil }

    /// If the terminal is asked, the setting is ignored.
    private var file: String? { passphrase ? nil : passphraseFile ?? Settings.current.text(.passphraseFile) }

    /// - Returns: the key of the mesh; `nil` if the mesh is open.
    /// - Throws: `Failure`, which says what to do.
    package func key(of mesh: MeshName) throws(Failure) -> MeshKey? {
        guard isClosed else {
            if let other = Settings.current.passedOver[.passphraseFile] {
                Report.remark(
                    "the mesh \(DisplayText.isolated(mesh.text)) is open here: the passphrase-file in \(other.origin.text) "
                        + "belongs to another mesh; add --passphrase-file or --passphrase if this one is closed")
            }
            return nil
        }
        return try Settings.current.blaming(.passphraseFile, unless: isSaid) { () throws(Failure) in
            try Self.key(of: mesh, file: file)
        }
    }

    /// Checks that the passphrase file can be read. Standard input is left alone.
    ///
    /// - Throws: `Failure` if the file is unusable.
    func checkFile() throws(Failure) {
        guard let file, file != "-" else { return }
        _ = try Settings.current.blaming(.passphraseFile, unless: isSaid) { () throws(Failure) in
            try PassphraseReader.read(file: file)
        }
    }

    /// - Parameter file: `nil` asks at the terminal.
    package static func key(of mesh: MeshName, file: String?) throws(Failure) -> MeshKey {
        if file == nil, !PassphraseReader.hasTerminal {
            throw Failure(
                .failed, "there is no terminal to ask for the passphrase; use --passphrase-file FILE")
        }
        let question = "passphrase of the mesh \(DisplayText.isolated(mesh.text)): "
        let passphrase: SecretBytes
        if let file {
            passphrase = try PassphraseReader.read(file: file)
        } else {
            passphrase = try PassphraseReader.ask(question)
        }
        guard passphrase.count > 0 else { throw Failure(.failed, "the passphrase is empty") }
        do {
            return try MeshKey(passphrase: passphrase, mesh: mesh)
        } catch {
            throw Failure(.failed, "\(error)")
        }
    }

    /// Warns if the passphrase differs from earlier ones: nothing else shows that it was mistyped.
    ///
    /// - Returns: whether this mesh was used here before, but only with other passphrases.
    @discardableResult
    package static func compare(_ key: MeshKey, of mesh: MeshName, in directory: DataDirectory) -> Bool {
        let tags: [String]
        do {
            tags = try directory.storeTags(of: mesh)
        } catch {
            return false  // Opening the store reports problems with the folder.
        }
        guard !tags.isEmpty, !tags.contains(key.storeTag) else { return false }
        Report.remark(
            "the closed mesh \(DisplayText.isolated(mesh.text)) was used here before with another passphrase; did you mistype "
                + "it? If the passphrase is new, ignore this")
        return true
    }

    /// Refuses a passphrase in the arguments: after `--passphrase` it would be taken for a text to post.
    ///
    /// - Returns: the error; it never contains the passphrase.
    package static func objection(to arguments: [String]) -> String? {
        let arguments = arguments.prefix { $0 != "--" }
        let isBare = zip(arguments, arguments.dropFirst()).contains { word, next in
            word == "--passphrase" && !next.hasPrefix("-")
        }
        guard isBare || arguments.contains(where: { $0.hasPrefix("--passphrase=") }) else { return nil }
        return
            "--passphrase takes no value, because others could see it in the process list; it asks. "
            + "Put it last, or use --passphrase-file FILE"
    }
}
