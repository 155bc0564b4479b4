import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// Files that people share in public rooms.
enum FileHandlers {
    /// As long as posts.
    private static let lifetime: UInt32 = 30 * 86_400

    static func register(in table: inout HandlerTable) {
        table.onOwner(ShareFile.self) { node, request throws(RequestError) in try await share(request, on: node) }
        table.onOwner(ListFiles.self) { node, request throws(RequestError) in
            var files: [FileInfo] = []
            for file in try await list(in: request.room, on: node) { files.append(await info(file, on: node)) }
            return SharedFiles(files)
        }
        table.onOwner(ShowFile.self) { node, request throws(RequestError) in
            await info(try await find(request.file, on: node), on: node)
        }
        table.onOwner(GetFile.self) { node, request throws(RequestError) in
            let file = try await find(request.file, on: node)
            try await service(on: node).get(file, into: request.folder, for: node)
            return await info(file, on: node)
        }
        table.onOwner(ReadFile.self) { node, request throws(RequestError) in
            let file = try await find(request.file, on: node)
            let bytes = try await service(on: node).bytes(
                of: file.body.blob, from: request.offset, length: min(request.length, ReadFile.lengthMax))
            return ReadFile.Reply(bytes)
        }
        table.onOwner(CancelFile.self) { node, request throws(RequestError) in
            let file = try await find(request.file, on: node)
            await (try service(on: node)).cancel(file, for: node)
            return await info(file, on: node)
        }
    }

    static func service(on node: isolated Node) throws(RequestError) -> BlobService {
        guard let blobs = node.blobs else { throw .store(fault: .missing) }
        return blobs
    }

    /// A name is looked up among this many of the newest files.
    private static let searchedMax = 2_000
    private static let idDigitsMin = 4

    private static func manifests(on node: isolated Node) async throws(RequestError) -> [StoredManifest] {
        let store = try service(on: node).store
        let unheard = node.personas.owner.contactMarks.unheard
        let now = node.clock.now
        return try await stored { () throws(StoreError) in
            try await store.manifests.newest(searchedMax, at: now)
        }.filter { !unheard.contains($0.author) }
    }

    private static func list(
        in wanted: RoomName?, on node: isolated Node
    ) async throws(RequestError) -> ArraySlice<StoredManifest> {
        let files = try await manifests(on: node)
        return files.filter { wanted == nil || room(of: $0) == wanted }.prefix(ListFiles.limitMax)
    }

    /// The file with an id that begins like this; else the newest one of this name.
    private static func find(_ text: String, on node: isolated Node) async throws(RequestError) -> StoredManifest {
        let (store, now) = (try service(on: node).store, node.clock.now)
        let digits = text.utf8.count >= idDigitsMin ? text.lowercased() : ""
        let found = try await stored { () throws(StoreError) in
            try await store.manifests.withPrefix(digits, limit: 8, at: now)
        }.filter { !node.personas.owner.contactMarks.unheard.contains($0.author) }
        if found.count > 1 { throw .ambiguousItem(ids: found.map { String($0.id.hex.prefix(12)) }) }
        if let file = found.first { return file }
        guard let file = try await manifests(on: node).first(where: { $0.body.name.text == text }) else {
            throw .unknownItem(id: text)
        }
        return file
    }

    private static func share(_ request: ShareFile, on node: isolated Node) async throws(RequestError) -> FileInfo {
        try check(request.room, on: node)
        let (blobs, name) = (try service(on: node), FileName(ofPath: request.path))
        guard BlobService.isFolder(request.path) else {
            let (blob, draft) = try await blobs.add(request.path, at: node.clock.now)
            return try await publish(
                ManifestBody(blob, name: name, type: MediaType(ofFile: name)), draft: draft,
                "shares the file \(name.text)", in: request.room, on: node)
        }
        let (blob, draft, source) = try await blobs.addFolder(request.path, at: node.clock.now)
        let files = source.list.entries.count == 1 ? "1 file" : "\(source.list.entries.count) files"
        return try await publish(
            ManifestBody(blob, name: name, type: .folder), draft: draft, "shares the folder \(name.text) with \(files)",
            in: request.room, on: node)
    }

    /// - Throws: `filesArePublic`, or why nothing can be said in the room.
    static func check(_ room: RoomName, on node: isolated Node) throws(RequestError) {
        let privacy = node.personas.owner.privacy
        guard !privacy.isPrivate(room) else { throw .filesArePublic(room: room) }
        try privacy.check(room)
    }

    /// Writes the record of a file that is here, and announces it in a room.
    static func publish(
        _ body: ManifestBody, draft: Int64, _ words: String, in room: RoomName, on node: isolated Node
    ) async throws(RequestError) -> FileInfo {
        let (owner, blobs) = (node.personas.owner, try service(on: node))
        let blob = body.blob
        let desk = try node.publisher.desk(of: owner, for: node)
        let topic = Array(room.text.utf8)
        let id = try await desk.publish(
            .manifest, topic: topic, body: body.body, lifetime: lifetime, at: node.clock.now)
        do {
            try await blobs.attach(blob, draft: draft, to: id, at: node.clock.now)
        } catch {
            throw RequestError(error)
        }
        await node.publisher.wrote(owner.id, for: node)
        let text = "\(words) (\(ByteCountText.text(Int(blob.size))))"
        _ = try await ChatHandlers.say(
            [SpokenText(text, .acts, file: id)], in: room, for: nil, as: owner, on: node)[0].get()
        let manifest = StoredManifest(
            id: id, author: owner.id, date: node.clock.now, topic: topic, body: body)
        return await info(manifest, on: node)
    }

    private static func info(_ file: StoredManifest, on node: isolated Node) async -> FileInfo {
        let blob = file.body.blob
        let (state, here) = await progress(of: blob, on: node)
        let outcome: (path: String?, fault: FileFault?) =
            switch node.blobs?.downloads.outcome(of: file.id) {
            case .saved(let path): (path, nil)
            case .failed(let fault): (nil, fault)
            case nil: (nil, nil)
            }
        let owner = node.personas.owner
        let name = file.author == owner.id ? owner.name : Contacts.name(of: file.author, for: node)
        return FileInfo(
            id: file.id, name: file.body.name.text, type: file.body.type.text, size: blob.size,
            by: RoomEvent.Person(file.author, name), at: file.date, room: room(of: file),
            state: state, here: here, path: outcome.path, fault: outcome.fault)
    }

    /// `nil` for a file of a post.
    private static func room(of file: StoredManifest) -> RoomName? {
        do {
            return try String(validating: file.topic, as: UTF8.self).map { try RoomName($0) }
        } catch {
            return nil
        }
    }

    private static func progress(of blob: BlobName, on node: isolated Node) async -> (FileInfo.State, Int64) {
        if let download = node.blobs?.downloads[blob] {
            let pieces = Int64(BlobShape(blob).pieceCount)
            let here = blob.size * Int64(download.count) / pieces
            return (download.isNowhere ? .waiting : .coming, here)
        }
        do {
            guard let row = try await node.blobs?.store.blobs.find(blob), !row.isUnused else { return (.shared, 0) }
            return row.isComplete ? (.here, blob.size) : (.shared, min(row.heldBytes, blob.size))
        } catch {
            return (.shared, 0)
        }
    }
}

extension FileName {
    /// The last part of a path, without what a name may not have.
    init(ofPath path: String) {
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        var text = String(
            String.UnicodeScalarView(
                last.unicodeScalars.map { $0 == "\\" || DisplayText.isUnsafe($0) ? "_" : $0 }))
        while text.utf8.count > Self.bytesMax { text.removeFirst() }
        while text.hasPrefix(" ") { text.removeFirst() }
        while text.hasSuffix(" ") || text.hasSuffix(".") { text.removeLast() }
        self = FileName(text) ?? .unnamed
    }
}
