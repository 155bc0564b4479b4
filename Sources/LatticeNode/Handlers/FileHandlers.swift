import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

/// Files that people share with everybody in public rooms, or encrypted with few.
enum FileHandlers {
    static func register(in table: inout HandlerTable) {
        // Paths are those of this machine, and only the owner may name them.
        table.onOwner(ShareFile.self) { node, request throws(RequestError) in
            try await FileSharing.share(request, on: node)
        }
        table.onPersona(ListFiles.self) { node, persona, request throws(RequestError) in
            var files: [FileInfo] = []
            for file in try await list(for: request.audience, as: persona, on: node) {
                files.append(await info(file, as: persona, on: node))
            }
            return SharedFiles(files)
        }
        table.onPersona(ShowFile.self) { node, persona, request throws(RequestError) in
            await info(try await find(request.file, as: persona, on: node), as: persona, on: node)
        }
        table.onPersona(GetFile.self) { node, persona, request throws(RequestError) in
            guard persona.isOwner || request.folder == nil else { throw .ownerOnly }
            let file = try await findSoon(request.file, as: persona, on: node)
            let blobs = try service(on: node)
            let before = await info(file, as: persona, on: node)
            guard !persona.isOwner else {
                try await blobs.get(file, into: request.folder, for: node)
                return await info(file, as: persona, on: node)
            }
            // A second request for it costs nothing.
            guard before.state == .shared else {
                blobs.downloads.join(file.blob, persona.id, at: node.clock.now)
                return before
            }
            try await VisitorFetches.begin(file, by: persona.id, in: blobs, on: node)
            return await info(file, as: persona, on: node)
        }
        table.onPersona(ReadFile.self) { node, persona, request throws(RequestError) in
            let file = try await find(request.file, as: persona, on: node)
            let bytes = try await service(on: node).reader.bytes(
                of: file, from: request.offset, length: min(request.length, ReadFile.lengthMax))
            return ReadFile.Reply(bytes)
        }
        table.onPersona(CancelFile.self) { node, persona, request throws(RequestError) in
            let file = try await find(request.file, as: persona, on: node)
            let blobs = try service(on: node)
            if persona.isOwner {
                await blobs.cancel(file, for: node)
            } else {
                try await VisitorFetches.end(file, by: persona.id, in: blobs, on: node)
            }
            return await info(file, as: persona, on: node)
        }
        table.onPersona(RemoveFile.self) { node, persona, request throws(RequestError) in
            let file = try await find(request.file, prefersOwn: true, as: persona, on: node)
            let before = await info(file, as: persona, on: node)
            try await FileSharing.remove(file, as: persona, on: node)
            return before
        }
    }

    static func service(on node: isolated Node) throws(RequestError) -> BlobService {
        guard let blobs = node.blobs else { throw .store(fault: .missing) }
        return blobs
    }

    // MARK: - Finding

    /// A name is looked up among this many of the newest files.
    private static let searchedMax = 2_000
    private static let idDigitsMin = 4
    /// How long the record of a file may take after the line that names it, and how often one looks for it.
    private static let patience = 20
    private static let lookInterval: Duration = .milliseconds(100)

    /// The newest first, without those of people who are not heard.
    private static func newest(
        as persona: Persona, on node: isolated Node
    ) async throws(RequestError) -> [ListedFile] {
        _ = try service(on: node)
        let (store, now) = (try persona.storedArchive().store, node.clock.now)
        return try await stored { () throws(StoreError) in
            let open = try await store.manifests.newest(searchedMax, at: now).map { ListedFile($0) }
            let sealed = try await store.sealedFiles.newest(searchedMax).map { ListedFile($0) }
            return (open + sealed).sorted { $0.date > $1.date }
        }.filter { !persona.contactMarks.unheard.contains($0.author) }
    }

    private static func list(
        for audience: FileAudience?, as persona: Persona, on node: isolated Node
    ) async throws(RequestError) -> [ListedFile] {
        let wanted: ListedFile.Place? =
            switch audience {
            case .room(let room): .room(room)
            case .person(let person): .person(try await node.peer(person, for: persona))
            case nil: nil
            }
        let files = try await newest(as: persona, on: node).filter { wanted == nil || $0.place == wanted }
        return try await readable(files, limit: ListFiles.limitMax, as: persona, on: node)
    }

    /// Maps that others shared and everybody may have, newest first.
    static func maps(as persona: Persona, on node: isolated Node) async throws(RequestError) -> [FileInfo] {
        let files = try await newest(as: persona, on: node).filter {
            $0.bounds != nil && TileFolder.isMap($0.name.text) && $0.author != persona.id
        }
        var maps: [FileInfo] = []
        for file in try await readable(files, limit: ListFiles.limitMax, as: persona, on: node) {
            maps.append(await info(file, as: persona, on: node))
        }
        return maps
    }

    /// Without files of posts that this person cannot read: they are too far away, deleted or not here, or somebody else attached
    /// the file.
    private static func readable(
        _ files: [ListedFile], limit: Int, as persona: Persona, on node: isolated Node
    ) async throws(RequestError) -> [ListedFile] {
        let (desk, now) = (try node.publisher.desk(of: persona, for: node), node.clock.now)
        var (found, viewer): ([ListedFile], Viewer?) = ([], nil)
        for file in files where found.count < limit {
            if case .item(let id) = file.place {
                let item = try await stored { () throws(StoreError) in
                    try await desk.archive.store.items.item(id, at: now)
                }
                guard let item, item.author == file.author else { continue }
                if viewer == nil { viewer = try await desk.reader.viewer() }
                guard viewer?.state(of: item) == .shown else { continue }
            }
            found.append(file)
        }
        return found
    }

    /// As `find`. Who hears a line and asks at once for its file may be faster than the file's record, which travels and is
    /// stored by itself.
    private static func findSoon(
        _ text: String, as persona: Persona, on node: isolated Node
    ) async throws(RequestError) -> ListedFile {
        for _ in 0..<(Bytes32(hex: text) == nil ? 0 : patience) {
            do throws(RequestError) {
                return try await find(text, as: persona, on: node)
            } catch .unknownItem {
                do {
                    try await Task.sleep(for: lookInterval)
                } catch {
                    break  // Nobody waits for it any more.
                }
            }
        }
        return try await find(text, as: persona, on: node)
    }

    /// The file with this id; `nil` if it is gone.
    static func listed(_ id: RecordID, on node: isolated Node) async -> ListedFile? {
        do {
            return try await find(id.hex, as: node.personas.owner, on: node)
        } catch {
            return nil
        }
    }

    /// The file with an id that begins like this; else the newest one of this name.
    ///
    /// - Parameter prefersOwn: whether a file of this person goes before others of the same name.
    private static func find(
        _ text: String, prefersOwn: Bool = false, as persona: Persona, on node: isolated Node
    ) async throws(RequestError) -> ListedFile {
        _ = try service(on: node)
        let (store, now) = (try persona.storedArchive().store, node.clock.now)
        let digits = text.utf8.count >= idDigitsMin ? text.lowercased() : ""
        let all = try await stored { () throws(StoreError) in
            let open = try await store.manifests.withPrefix(digits, limit: 8, at: now).map { ListedFile($0) }
            return open + (try await store.sealedFiles.withPrefix(digits, limit: 8).map { ListedFile($0) })
        }.filter { !persona.contactMarks.unheard.contains($0.author) }
        let found = try await readable(all, limit: all.count, as: persona, on: node)
        if found.count > 1 { throw .ambiguousItem(ids: found.map { String($0.id.hex.prefix(12)) }) }
        if let file = found.first { return file }
        let named = try await newest(as: persona, on: node).filter { $0.name.text == text }
        let own = prefersOwn ? named.filter { $0.author == persona.id } : []
        guard let file = try await readable(own + named, limit: 1, as: persona, on: node).first else {
            throw .unknownItem(id: text)
        }
        return file
    }

    // MARK: - What people see

    static func info(_ file: ListedFile, as persona: Persona, on node: isolated Node) async -> FileInfo {
        let (state, here) = await progress(of: file, on: node)
        // Where the owner saved it is not for visitors.
        let outcome: (path: String?, fault: FileFault?) =
            switch persona.isOwner ? node.blobs?.downloads.outcome(of: file.id) : nil {
            case .saved(let path): (path, nil)
            case .failed(let fault): (nil, fault)
            case nil: (nil, nil)
            }
        let (room, other): (RoomName?, PeerID?) =
            switch file.place {
            case .room(let room): (room, nil)
            case .person(let peer): (nil, peer)
            case .item, .elsewhere: (nil, nil)
            }
        return FileInfo(
            id: file.id, name: file.name.text, type: file.type.text, size: file.size,
            by: person(file.author, on: node), at: file.date, room: room, with: other.map { person($0, on: node) },
            isPrivate: file.isPrivate, state: state, here: here, path: outcome.path, fault: outcome.fault,
            bounds: file.bounds, isDelivered: file.isDelivered, given: given(file, as: persona, on: node),
            mayStop: node.blobs?.downloads[file.blob] != nil
                && (persona.isOwner || node.blobs?.downloads.isWanted(file.blob, by: persona.id) == true))
    }

    private static func given(_ file: ListedFile, as persona: Persona, on node: isolated Node) -> Int64 {
        guard case .person = file.place, file.author == persona.id, let blobs = node.blobs else { return 0 }
        return file.size * Int64(blobs.given.most(of: file.blob))
            / Int64(BlobShape(file.blob).pieceCount)
    }

    private static func person(_ peer: PeerID, on node: isolated Node) -> RoomEvent.Person {
        RoomEvent.Person(peer, node.personas[peer]?.name ?? Contacts.name(of: peer, for: node))
    }

    private static func progress(of file: ListedFile, on node: isolated Node) async -> (FileInfo.State, Int64) {
        let blob = file.blob
        if let download = node.blobs?.downloads[blob] {
            let pieces = Int64(BlobShape(blob).pieceCount)
            let here = file.size * Int64(download.count) / pieces
            return (download.isNowhere ? .waiting : .coming, here)
        }
        do {
            guard let row = try await node.blobs?.store.blobs.find(blob), !row.isUnused else { return (.shared, 0) }
            return row.isComplete ? (.here, file.size) : (.shared, min(row.heldBytes, file.size))
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
