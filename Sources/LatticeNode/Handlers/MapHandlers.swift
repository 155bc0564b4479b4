import LatticeAPI
import LatticeCore
import LatticeStore

/// Base maps that are kept here, and maps that others share as files.
enum MapHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(ListMaps.self) { node, persona, _ throws(RequestError) in
            let kept = await (try FileHandlers.service(on: node)).maps.kept()
            let shared = try await FileHandlers.maps(as: persona, on: node).filter { file in
                !kept.contains { $0.size == file.size && $0.name == file.name }
            }
            return BaseMaps(kept: kept, shared: shared)
        }
        table.onOwner(AddMap.self) { node, request throws(RequestError) in
            try await FileHandlers.service(on: node).maps.add(request.path)
        }
        table.onOwner(GetMap.self) { node, request throws(RequestError) in
            let folder = try FileHandlers.service(on: node).maps.folder.path
            let file = try await node.perform(ShowFile(request.file))
            guard TileFolder.isMap(file.name) else { throw .unknownMap(name: file.name) }
            return try await node.perform(GetFile(file.id.hex, into: folder))
        }
        table.onOwner(RemoveMap.self) { node, request throws(RequestError) in
            try await FileHandlers.service(on: node).maps.remove(request.map)
        }
    }
}
