import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo

/// A picture that a person named.
struct NamedPicture: Sendable {
    enum Source: Sendable {
        case item(ItemReference)
        case person(PeerReference)
        case file(FileInfo)
    }

    let facts: PictureFacts
    let source: Source
    /// Where the reader is.
    let place: Coordinate?
}

/// Finds what a person means by an id, a name or a number.
struct PictureFinder {
    private static let idDigitsMin = 4
    private static let types = ["image/jpeg", "image/png", "image/webp"]

    let node: any MeshNode
    let context: CommandContext
    let place: Coordinate?

    /// - Parameter fileOfLine: the file of the line with this number in a chat.
    func find(_ what: String, fileOfLine: String?) async throws -> NamedPicture {
        if context.isChat, what.utf8.count < Self.idDigitsMin, Int(what) != nil {
            return try await find(number: what, fileOfLine: fileOfLine)
        }
        if what.utf8.count >= Self.idDigitsMin, what.utf8.allSatisfy(Hex.isDigit) {
            do {
                return try await item(what)
            } catch RequestError.unknownItem {
                // It may be the id of a file, or the name of a person.
            }
        }
        var hasFiles = true
        do {
            if let file = try await file(what) { return file }
        } catch RequestError.stopped(why: .noNode) {
            // People and posts are known without a node.
            hasFiles = false
        }
        return try await person(what, orFile: hasFiles)
    }

    private func find(number: String, fileOfLine: String?) async throws -> NamedPicture {
        var (line, listed): (NamedPicture?, NamedPicture?)
        var fault: (any Error)?
        do {
            listed = try await item(number)
        } catch {
            fault = error
        }
        if let fileOfLine {
            do {
                line = try await file(fileOfLine)
            } catch {
                // A line whose file is no picture leaves the list.
                if listed == nil { throw error }
            }
        }
        if let line, let listed {
            let (file, item) = (line.facts.id.prefix(6), listed.facts.id.prefix(6))
            throw CommandFailure(
                code: "ambiguousItem",
                "\(number) is a line and also stands in the last list: '\(context.call("view \(file)"))' shows "
                    + "\(line.facts.name), '\(context.call("view \(item)"))' the photo in the list")
        }
        if let picture = line ?? listed { return picture }
        guard let error = fault as? RequestError else { throw fault ?? RequestError.unknownItem(id: number) }
        throw CommandFailure(
            code: "unknownItem", "no line here has a file and the number \(number), and \(error.words)")
    }

    private func item(_ what: String) async throws -> NamedPicture {
        let item = try await node.perform(ShowItem(ItemReference(what), from: place)).item
        if item.state == .tooFar { throw RequestError.tooFar }
        guard let facts = PictureFacts(item) else {
            throw CommandFailure(code: "noPicture", "\(item.kind.rawValue) \(item.short) has no photo")
        }
        return NamedPicture(facts: facts, source: .item(ItemReference(item.id.hex)), place: place)
    }

    /// - Returns: `nil` if there is no such file.
    private func file(_ what: String) async throws -> NamedPicture? {
        guard let file = try await info(what) else { return nil }
        guard Self.types.contains(file.type) else {
            throw CommandFailure(
                code: "noPicture",
                "\(FileLines.name(of: file)) is not a JPEG, PNG or WebP; "
                    + "'\(context.call("file get \(file.id.hex.prefix(6))"))' saves it")
        }
        return NamedPicture(facts: PictureFacts(file), source: .file(file), place: nil)
    }

    private func info(_ file: String) async throws -> FileInfo? {
        do throws(RequestError) {
            return try await node.perform(ShowFile(file))
        } catch {
            // It may be a person.
            guard case .unknownItem = error else { throw error }
            return nil
        }
    }

    private func profile(_ what: String, orFile hasFiles: Bool) async throws -> PersonInfo {
        do throws(RequestError) {
            return try await node.perform(ShowProfile(PeerReference(what)))
        } catch {
            guard case .unknownPeer = error else { throw error }
            let name = DisplayText.isolated(String(what.prefix(64)))
            throw CommandFailure(
                code: "unknownItem",
                hasFiles
                    ? "there is no post, file or person called '\(name)'; give an id from a list, the name of a file, or a person"
                    : "there is no post or person called '\(name)', and files are known only while 'lattice run' or a chat runs",
                exitCode: 69)
        }
    }

    private func person(_ what: String, orFile hasFiles: Bool) async throws -> NamedPicture {
        let person = try await profile(what, orFile: hasFiles)
        guard let facts = PictureFacts(person) else {
            throw CommandFailure(
                code: "noPicture", "\(DisplayText.isolated(person.name ?? "#\(person.id.short)")) has no photo")
        }
        return NamedPicture(facts: facts, source: .person(PeerReference(person.id.hex)), place: nil)
    }
}
