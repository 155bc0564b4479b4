import LatticeAPI
import LatticeCore
import LatticeWire

enum UploadHandlers {
    static func register(in table: inout HandlerTable) {
        table.onOwner(BeginUpload.self) { node, _ throws(RequestError) in
            BeginUpload.Reply(try await FileHandlers.service(on: node).beginUpload())
        }
        table.onOwner(AppendUpload.self) { node, request throws(RequestError) in
            try await FileHandlers.service(on: node).append(request)
            return Done()
        }
        table.onOwner(CancelUpload.self) { node, request throws(RequestError) in
            try FileHandlers.service(on: node).cancelUpload(request.upload)
            return Done()
        }
        table.onOwner(ShareUpload.self) { node, request throws(RequestError) in
            try FileHandlers.check(request.room, on: node)
            let (blob, draft) = try await FileHandlers.service(on: node).finishUpload(
                request.upload, at: node.clock.now)
            let name = FileName(ofPath: request.name)
            return try await FileHandlers.publish(
                ManifestBody(blob, name: name, type: MediaType(ofFile: name)), draft: draft,
                "shares the file \(name.text)", in: request.room, on: node)
        }
    }
}
