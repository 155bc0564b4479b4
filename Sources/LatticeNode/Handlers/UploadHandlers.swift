import LatticeAPI
import LatticeCore
import LatticeWire

enum UploadHandlers {
    static func register(in table: inout HandlerTable) {
        table.onOwner(BeginUpload.self) { node, request throws(RequestError) in
            var isSealed = false
            if let audience = request.audience {
                isSealed = try await FileSharing.audience(audience, on: node).isPrivate
            }
            return BeginUpload.Reply(
                try await FileHandlers.service(on: node).beginUpload(for: request.audience, isSealed: isSealed))
        }
        table.onOwner(AppendUpload.self) { node, request throws(RequestError) in
            try await FileHandlers.service(on: node).append(request)
            return Done()
        }
        table.onOwner(CancelUpload.self) { node, request throws(RequestError) in
            let blobs = try FileHandlers.service(on: node)
            blobs.cancelUpload(request.upload)
            await blobs.photos.cancel(request.upload, in: blobs.store)
            return Done()
        }
        table.onOwner(ShareUpload.self) { node, request throws(RequestError) in
            let blobs = try FileHandlers.service(on: node)
            let audience = try await FileSharing.audience(try blobs.uploads.audience(of: request.upload), on: node)
            let draft = try await blobs.finishUpload(
                request.upload, as: FileName(ofPath: request.name), at: node.clock.now)
            return try await FileSharing.announce(draft, "shares the file", to: audience, on: node)
        }
    }
}
