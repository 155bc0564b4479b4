import Glibc
import LatticeCore
import LatticeCrypto
import LatticeStore

/// What was removed from a person's folder, and what stays.
package struct WipedFolder: Equatable, Sendable {
    package struct File: Equatable, Sendable {
        package let name: String
        package let bytes: Int
    }

    package var removed: [File] = []
    /// Names in the folder that lattice did not make.
    package var left: [String] = []
    /// What could not be removed, each with its reason.
    package var failed: [String] = []
    package var isFolderGone = false
}

// Safety: the entry that readdir(3) lends is read before the next call, within the bounds of its own name; a buffer is lent to
// readlink(2) for the length of the call, with its true size.
extension DataDirectory {
    /// Removes everything that lattice made in this folder, the identity first. The caller holds the lock.
    ///
    /// Folders, files with unknown names and other programs' databases stay.
    ///
    /// - Throws: `linked`, before anything is removed, if one of our names is a link: its target would stay.
    package func wipe() throws(DataDirectoryError) -> WipedFolder {
        var wiped = WipedFolder()
        let names = try fileNames()
        for name in names where Self.isOurs(name) { try checkIsNoLink(name) }
        let ours = Set(names.filter { Self.isOurs($0) && isNoStranger($0) })
        // The lock goes last, so that nobody else can start here before.
        let known = names.filter { ours.contains($0) && $0 != "lock" }
        for name in known.sorted(by: { (Self.isSecret($0) ? 0 : 1, $0) < (Self.isSecret($1) ? 0 : 1, $1) })
            + names.filter({ $0 == "lock" })
        {
            remove(name, in: &wiped)
        }
        wiped.left += names.filter { !ours.contains($0) }
        wiped.left.sort()
        if wiped.left.isEmpty, wiped.failed.isEmpty { wiped.isFolderGone = rmdir(path) == 0 }
        forget()
        return wiped
    }

    /// Throws if the folder itself is a link.
    package func checkIsNoLink() throws(DataDirectoryError) {
        guard let target = Self.target(ofLink: path) else { return }
        throw .linkedFolder(path: path, target: target)
    }

    private func checkIsNoLink(_ name: String) throws(DataDirectoryError) {
        let file = "\(path)/\(name)"
        guard let target = Self.target(ofLink: file) else { return }
        throw .linked(path: file, target: target)
    }

    /// - Returns: the link's target; `nil` if the path is not a link.
    private static func target(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        guard let whole = realpath(path, nil) else {
            return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        defer { free(whole) }
        return String(cString: whole)
    }

    /// Content decides whether a database is ours; SQLite's files beside it go with it.
    private func isNoStranger(_ name: String) -> Bool {
        let end = ["-wal", "-shm", "-journal"].first(where: name.hasSuffix) ?? ""
        let file = name.dropLast(end.utf8.count)
        return !file.hasSuffix(".sqlite") || DatabaseFile.isStore("\(path)/\(file)")
    }

    private func remove(_ name: String, in wiped: inout WipedFolder) {
        let file = "\(path)/\(name)"
        var facts = stat()
        guard lstat(file, &facts) == 0 else { return }
        if Self.isBlobFolder(name), isBlobFolder(file) { return removeFolder(name, in: &wiped) }
        if name == Self.mapsName, isMapFolder(file) { return removeFolder(name, in: &wiped) }
        // A folder that happens to have such a name is not ours.
        guard facts.st_mode & S_IFMT == (name == Self.controlName ? S_IFSOCK : S_IFREG) else {
            wiped.left.append(name)
            return
        }
        if Self.isSecret(name) {
            do {
                try SecretFile.erase(file)
            } catch {
                wiped.failed.append("\(name): \(error.reason)")
                return
            }
        } else if unlink(file) != 0 {
            wiped.failed.append("\(name): \(String(cString: strerror(errno)))")
            return
        }
        wiped.removed.append(.init(name: name, bytes: Int(facts.st_size)))
    }

    /// Clears the last used name if it was this one.
    private func forget() {
        guard let lastNamePath else { return }
        do {
            guard try TextFile(path: lastNamePath).read() == "\(name.text)\n" else { return }
        } catch {
            return  // Only a convenience for the next start.
        }
        unlink(lastNamePath)
    }

    func fileNames() throws(DataDirectoryError) -> [String] {
        // The folder itself must not be a link either: it would lead to somebody else's files.
        try checkIsNoLink()
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0, let folder = fdopendir(descriptor) else {
            throw .cannotRead(path: path, reason: String(cString: strerror(errno)))
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Files that hold the secret, complete or half written.
    static func isSecret(_ name: String) -> Bool {
        name == "identity" || name.hasPrefix("identity.") && name.hasSuffix(".new") || name == AccountBook.keysName
            || name == webCertificateName
    }

    /// How far the accounts of IRC clients have read.
    package static let marksName = "irc-read-marks"

    /// Whether lattice makes files with this name.
    static func isOurs(_ name: String) -> Bool {
        if isSecret(name) { return true }
        if ["people.lock", "people.damaged", webDamagedVisitorsName, controlName].contains(name) { return true }
        let plainNames = [
            "name", "lock", "contacts", "history", "people", "listening", "accounts", roomsName, marksName,
            webTokenName, webUsersName, webVisitorsName, webCertificateName, webAddressName, webLeadName,
            AccountBook.keysName,
        ]
        for plain in plainNames {
            if name == plain { return true }
            // A draft of a killed process.
            guard name.hasPrefix("\(plain).") else { continue }
            let rest = name.dropFirst(plain.utf8.count + 1)
            let process = rest.hasSuffix(".new") ? rest.dropLast(4) : rest
            if !process.isEmpty, process.allSatisfy(\.isNumber) { return true }
        }
        return isStore(name) || isBlobFolder(name) || name == mapsName || isBridgeState(name)
    }

    /// Where a bridge keeps how far it has got.
    ///
    /// - Parameter tag: the mesh at the broker, 16 hexadecimal digits.
    package func bridgeStatePath(engine: String, tag: String) -> String { "\(path)/bridge-\(engine)-\(tag).state" }

    private static func isBridgeState(_ name: String) -> Bool {
        name.wholeMatch(of: #/bridge-[a-z]{1,8}-[0-9a-f]{16}\.state(-journal|-wal|-shm)?/#) != nil
    }

    /// `MESH.sqlite`, SQLite's files beside it, and what a rebuild left of a damaged store.
    private static func isStore(_ name: String) -> Bool {
        guard let dot = name.ranges(of: ".sqlite").last, dot.lowerBound != name.startIndex else { return false }
        var rest = name[dot.upperBound...]
        if rest.hasPrefix(".damaged-") {
            rest = rest.dropFirst(".damaged-".utf8.count)
            guard rest.first?.isNumber == true else { return false }
            rest = rest.drop(while: \.isNumber)
        } else if rest.hasPrefix(".salvaged") {
            rest = rest.dropFirst(".salvaged".utf8.count)
        }
        return ["", "-wal", "-shm", "-journal"].contains(String(rest))
    }
}
