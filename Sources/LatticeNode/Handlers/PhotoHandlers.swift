import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire
import Logging

enum PhotoHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(PreparePhoto.self) { node, persona, request throws(RequestError) in
            let blobs = try FileHandlers.service(on: node)
            let photo = try await blobs.photos.prepare(
                request.upload, by: persona, in: blobs, at: node.clock.now)
            return PhotoInfo(StoredPhoto(photo, isHere: true))
        }
        table.onPhoto(ReadPhoto.self) { desk, request, now throws(RequestError) in
            let item = try await desk.reader.find(request.item, at: now)
            guard try await desk.reader.viewer(at: request.from).state(of: item) == .shown else {
                throw .unknownItem(id: item.id.hex)
            }
            let photo = try await stored { () throws(StoreError) in
                try await desk.archive.store.photos.photo(of: item.id, at: now)
            }
            return WantedPhoto(try named(photo, item.id.hex), request.which, as: item.id.hex)
        }
        table.onPhoto(ReadPersonPhoto.self) { desk, request, now throws(RequestError) in
            let person = try await desk.reader.find(request.person, at: now).peer
            let photo = try await stored { () throws(StoreError) in
                try await desk.archive.store.photos.photo(of: person)
            }
            return WantedPhoto(try named(photo, person.hex), request.which, as: person.hex)
        }
    }

    /// Writes a record with a new photo, and then its original if it is wanted.
    static func write<Reply>(
        _ source: PhotoSource, as persona: Persona, on node: isolated Node,
        _ work: (PersonaDesk, BodyPhoto, WallTime) async throws(RequestError) -> Reply
    ) async throws(RequestError) -> Reply {
        guard !source.hasOriginal || Reply.self == ItemInfo.self else {
            throw .invalid(faults: [Reply.self == DraftInfo.self ? .originalOfDraft : .originalOfProfile])
        }
        let desk = try node.publisher.desk(of: persona, for: node)
        let blobs = try FileHandlers.service(on: node)
        // Drafts until the record is stored, which is a reason to keep them from the same commit on.
        let ready = try await blobs.photos.ready(source, by: persona, in: blobs, at: node.clock.now)
        var (original, taken): (DraftFile?, Int64) = (nil, 0)
        let date = node.clock.now
        do throws(RequestError) {
            if source.hasOriginal {
                let draft = try await blobs.photos.original(of: ready, in: blobs, at: date)
                original = draft
                if !persona.isOwner {
                    try await blobs.visitorDays.take(draft.blob.size, of: persona.id, at: date)
                    taken = draft.blob.size
                }
            }
            let reply = try await work(desk, ready.photo, node.clock.now)
            await blobs.photos.used(ready, in: blobs.store)
            await node.publisher.wrote(reply, by: persona, for: node)
            if let item = reply as? ItemInfo, let original {
                await attach(original, to: item, as: persona, on: node)
            }
            return reply
        } catch {
            if let original { await blobs.discard(original, at: node.clock.now) }
            await blobs.visitorDays.giveBack(taken, of: persona.id, takenAt: date)
            await blobs.photos.refused(ready, in: blobs.store)
            throw error
        }
    }

    /// The item stands without it if that fails: an error would make people post it again.
    private static func attach(
        _ original: DraftFile, to item: ItemInfo, as persona: Persona, on node: isolated Node
    ) async {
        guard case .open(let file) = original.content else { return }
        do {
            let blobs = try FileHandlers.service(on: node)
            let desk = try node.publisher.desk(of: persona, for: node)
            let id = try await desk.attach(file, to: item, at: node.clock.now)
            try await blobs.attach(original, to: .record(id), at: node.clock.now)
            await node.publisher.wrote(persona.id, for: node)
        } catch {
            node.logger.warning("the original of a photo is not shared", metadata: ["error": "\(error)"])
        }
    }

    private static func named(_ photo: NamedPhoto?, _ id: String) throws(RequestError) -> NamedPhoto {
        guard let photo else { throw .unknownItem(id: id) }
        return photo
    }
}

private struct WantedPhoto: Sendable {
    let named: NamedPhoto
    let which: PhotoSize
    private let id: String

    init(_ named: NamedPhoto, _ which: PhotoSize, as id: String) {
        (self.named, self.which, self.id) = (named, which, id)
    }

    func thumbnail() throws(RequestError) -> PhotoBytes {
        guard let thumbnail = named.photo.thumbnail else { throw .unknownItem(id: id) }
        return PhotoBytes(thumbnail)
    }
}

extension HandlerTable {
    /// A photo needs a node, which may have to fetch it. Thumbnails are in the store.
    fileprivate mutating func onPhoto<R: Request>(
        _: R.Type, _ find: @escaping @Sendable (PersonaDesk, R, WallTime) async throws(RequestError) -> WantedPhoto
    ) where R.Reply == PhotoBytes {
        add(
            Handler<R>(
                isOwnersAlone: false,
                { node, persona, request throws(RequestError) in
                    let found = try await find(
                        try node.publisher.desk(of: persona, for: node), request, node.clock.now)
                    guard found.which == .photo else { return try found.thumbnail() }
                    let blobs = try FileHandlers.service(on: node)
                    return PhotoBytes(try await blobs.fetches.bytes(of: found.named, in: blobs, for: node))
                },
                withoutNode: { store, request throws(RequestError) in
                    try await store.archive.perform(request, at: await store.time())
                }, damaged: nil,
                onDesk: { desk, request, now throws(RequestError) in
                    let found = try await find(desk, request, now)
                    guard found.which == .thumbnail else { throw .stopped(why: .noNode) }
                    return try found.thumbnail()
                }))
    }
}

extension HandlerTable {
    /// A request on the store that may come with a photo, for every persona.
    ///
    /// - Parameter work: gets the photo, without a description.
    mutating func onDeskWithPhoto<R: BringsPhoto>(
        _: R.Type,
        _ work: @escaping @Sendable (PersonaDesk, R, BodyPhoto?, WallTime) async throws(RequestError) -> R.Reply
    ) {
        let alone: Handler<R>.OnDesk = { desk, request, now throws(RequestError) in
            guard request.photoSource == nil else { throw .stopped(why: .noNode) }
            return try await work(desk, request, nil, now)
        }
        add(
            Handler<R>(
                isOwnersAlone: false,
                { node, persona, request throws(RequestError) in
                    guard let source = request.photoSource else {
                        let desk = try node.publisher.desk(of: persona, for: node)
                        let reply = try await work(desk, request, nil, node.clock.now)
                        await node.publisher.wrote(reply, by: persona, for: node)
                        return reply
                    }
                    // A path is one of this machine.
                    if case .file = source, !persona.isOwner { throw .ownerOnly }
                    return try await PhotoHandlers.write(source, as: persona, on: node) {
                        desk, photo, now throws(RequestError) in try await work(desk, request, photo, now)
                    }
                },
                withoutNode: { store, request throws(RequestError) in
                    try await store.archive.perform(request, at: await store.time())
                }, damaged: nil, onDesk: alone))
    }
}
