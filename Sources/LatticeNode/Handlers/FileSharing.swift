import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// Shares a file with an audience: a line that names it, and in a public room a record.
enum FileSharing {
    /// As long as posts.
    private static let lifetime: UInt32 = 30 * 86_400

    /// Whom a file is for, as it was when its first byte was read.
    enum Audience: Hashable {
        case everybody(in: RoomName)
        case members(of: RoomName)
        case person(PeerID)

        /// Whether others than the node's own person and this audience must not read it.
        var isPrivate: Bool { if case .everybody = self { false } else { true } }
    }

    /// - Throws: why nothing can be said to them.
    static func audience(
        _ wanted: FileAudience, as persona: Persona, on node: isolated Node
    ) async throws(RequestError) -> Audience {
        switch wanted {
        case .room(let room):
            try persona.privacy.check(room)
            return persona.privacy.isPrivate(room) ? .members(of: room) : .everybody(in: room)
        case .person(let person):
            let peer = try await node.peer(person, for: persona)
            try persona.storedArchive().mail.checkMayTell(peer)
            return .person(peer)
        }
    }

    /// The owner's alone: the path is one of this machine.
    static func share(_ request: ShareFile, on node: isolated Node) async throws(RequestError) -> FileInfo {
        let owner = node.personas.owner
        let audience = try await audience(request.audience, as: owner, on: node)
        let (blobs, now) = (try FileHandlers.service(on: node), node.clock.now)
        guard BlobService.isFolder(request.path) else {
            let draft = try await blobs.add(request.path, isSealed: audience.isPrivate, at: now)
            return try await announce(draft, "shares the file", to: audience, as: owner, on: node)
        }
        let (draft, count) = try await blobs.addFolder(request.path, isSealed: audience.isPrivate, at: now)
        let files = count == 1 ? "1 file" : "\(count) files"
        return try await announce(draft, "shares the folder", "with \(files) ", to: audience, as: owner, on: node)
    }

    /// Says the line that names the file. A file for few is never said to more, even if the room has become public meanwhile.
    ///
    /// - Parameter details: what stands between the name and the size.
    static func announce(
        _ draft: DraftFile, _ words: String, _ details: String = "", to audience: Audience, as persona: Persona,
        on node: isolated Node
    ) async throws(RequestError) -> FileInfo {
        let blobs = try FileHandlers.service(on: node)
        do throws(RequestError) {
            let (file, size) = (draft.name.text, ByteCountText.text(Int(draft.size)))
            let text = "\(words) \(file) \(details)(\(size))"
            switch (draft.content, audience) {
            case (.open(let body), .everybody(let room)):
                return try await publish(body, draft, text, in: room, as: persona, on: node)
            case (.open, .members(let room)): throw .otherAudience(room: room, isPrivate: true)
            case (.open, .person): preconditionFailure("what is for one person is encrypted from its first byte")
            case (.sealed, .everybody(let room)): throw .otherAudience(room: room, isPrivate: false)
            case (.sealed(let sealed), .members(let room)):
                let line = SpokenText(text, .acts, sealedFile: sealed)
                _ = try await ChatHandlers.say(
                    [line], in: room, for: .members, as: persona, on: node)[0].get()
                return try await said(sealed, draft, as: persona, on: node)
            case (.sealed(let sealed), .person(let peer)):
                let line = SpokenText(text, .acts, sealedFile: sealed)
                _ = try await persona.storedArchive().mail.tell(peer, line, as: persona.name, at: node.clock.now)
                await node.publisher.wrote(persona.id, for: node)
                let info = try await said(sealed, draft, as: persona, on: node)
                blobs.offer(sealed.blob, for: peer, for: node)
                return info
            }
        } catch {
            await blobs.discard(draft, at: node.clock.now)
            throw error
        }
    }

    /// Writes the record of a file that is here, and announces it in a public room.
    private static func publish(
        _ body: ManifestBody, _ draft: DraftFile, _ text: String, in room: RoomName, as persona: Persona,
        on node: isolated Node
    ) async throws(RequestError) -> FileInfo {
        try persona.privacy.check(.everybody, in: room)
        let desk = try node.publisher.desk(of: persona, for: node)
        let topic = Array(room.text.utf8)
        let id = try await desk.publish(
            .manifest, topic: topic, body: body.body, lifetime: lifetime, at: node.clock.now)
        try await FileHandlers.service(on: node).attach(draft, to: .record(id), at: node.clock.now)
        await node.publisher.wrote(persona.id, for: node)
        _ = try await ChatHandlers.say(
            [SpokenText(text, .acts, file: id)], in: room, for: .everybody, as: persona, on: node)[0].get()
        let now = node.clock.now
        let manifest = StoredManifest(
            id: id, author: persona.id, date: now,
            expires: WallTime(milliseconds: now.milliseconds + Int64(lifetime) * 1_000), topic: topic, body: body)
        return await FileHandlers.info(ListedFile(manifest), as: persona, on: node)
    }

    // MARK: - Removing

    /// Takes an own file back, with the line that names it. Of somebody else's file the copy here goes.
    static func remove(
        _ file: ListedFile, as persona: Persona, on node: isolated Node
    ) async throws(RequestError) {
        let (blobs, now) = (try FileHandlers.service(on: node), node.clock.now)
        guard persona.isOwner || file.author == persona.id else { throw .ownerOnly }
        if persona.isOwner { await blobs.cancel(file, for: node) }
        guard file.author == persona.id else {
            // The only copy may be this one.
            guard node.personas.visitor(file.author) == nil else { throw .notYourLine(act: .delete) }
            return try await blobs.drop(file, at: now)
        }
        if let line = try await line(naming: file, in: blobs.store) {
            _ = try await HandlerTable.all[DeleteLine.self].perform(DeleteLine(line), for: persona, on: node)
        } else if case .privateText(let number) = file.use {
            let messages = try persona.storedArchive().store.messages
            try await stored { () throws(StoreError) in try await messages.removeUnsealed(number) }
        } else {
            try await node.publisher.desk(of: persona, for: node).delete(file: file.id, at: now)
            await node.publisher.wrote(persona.id, for: node)
        }
    }

    private static func line(
        naming file: ListedFile, in store: Store
    ) async throws(RequestError) -> RecordID? {
        guard !file.isPrivate, case .room(let room) = file.place else { return file.privateLine }
        return try await stored { () throws(StoreError) in
            try await store.manifests.line(naming: file.id, in: Array(room.text.utf8))
        }
    }

    /// The line is stored: it keeps the blob from now on.
    private static func said(
        _ sealed: SealedFile, _ draft: DraftFile, as persona: Persona, on node: isolated Node
    ) async throws(RequestError) -> FileInfo {
        let store = try persona.storedArchive().store
        let said = try await stored { () throws(StoreError) in
            try await store.sealedFiles.withPrefix(sealed.id.hex, limit: 1).first
        }
        // It may have been deleted already, from another front.
        guard let said else { throw .lineDeleted }
        try await FileHandlers.service(on: node).attach(draft, to: said.use, at: node.clock.now)
        return await FileHandlers.info(ListedFile(said), as: persona, on: node)
    }
}

extension DraftFile {
    fileprivate var name: FileName {
        switch content {
        case .open(let body): body.name
        case .sealed(let file): file.name
        }
    }

    fileprivate var size: Int64 {
        switch content {
        case .open(let body): body.blob.size
        case .sealed(let file): file.plainBytes
        }
    }
}
