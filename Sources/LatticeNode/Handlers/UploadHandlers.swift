import LatticeAPI
import LatticeCore
import LatticeWire

enum UploadHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(BeginUpload.self) { node, persona, request throws(RequestError) in
            var isSealed = false
            if let audience = request.audience {
                isSealed = try await FileSharing.audience(audience, as: persona, on: node).isPrivate
            }
            let upload = try await FileHandlers.service(on: node).beginUpload(
                for: request.audience, by: persona.id, isOwner: persona.isOwner, isSealed: isSealed)
            return BeginUpload.Reply(upload)
        }
        table.onPersona(AppendUpload.self) { node, persona, request throws(RequestError) in
            try await FileHandlers.service(on: node).append(request, by: persona.id, bytesMax: persona.fileBytesMax)
            return Done()
        }
        table.onPersona(CancelUpload.self) { node, persona, request throws(RequestError) in
            let blobs = try FileHandlers.service(on: node)
            try blobs.checkMayCancel(request.upload, persona.id)
            blobs.cancelUpload(request.upload)
            await blobs.photos.cancel(request.upload, in: blobs.store)
            return Done()
        }
        table.onPersona(ShareUpload.self) { node, persona, request throws(RequestError) in
            let blobs = try FileHandlers.service(on: node)
            try blobs.uploads.check(request.upload, persona.id)
            let audience = try await FileSharing.audience(
                try blobs.uploads.audience(of: request.upload), as: persona, on: node)
            let size = blobs.uploads.size(of: request.upload)
            let date = node.clock.now
            if !persona.isOwner { try await blobs.visitorDays.take(size, of: persona.id, at: date) }
            do throws(RequestError) {
                let draft = try await blobs.finishUpload(
                    request.upload, as: FileName(ofPath: request.name), at: node.clock.now)
                return try await FileSharing.announce(draft, "shares the file", to: audience, as: persona, on: node)
            } catch {
                if !persona.isOwner { await blobs.visitorDays.giveBack(size, of: persona.id, takenAt: date) }
                throw error
            }
        }
    }
}

extension Persona {
    fileprivate var fileBytesMax: Int64 { isOwner ? FileInfo.sizeMax : VisitorFiles.fileBytesMax }
}
