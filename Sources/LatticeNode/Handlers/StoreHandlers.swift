import LatticeAPI

/// The owner's store: figures, repair, retention and bundles.
enum StoreHandlers {
    static func register(in table: inout HandlerTable) {
        table.onWall(ShowStoreStats.self) { wall, _, now throws(RequestError) in try await wall.stats(at: now) }
        table.onWall(
            CheckStore.self,
            damaged: { store, _ throws(RequestError) in
                StoreCheck(records: 0, faults: [store.damage.description])
            },
            { wall, _, _ throws(RequestError) in try await wall.check() })
        table.onWall(
            RebuildStore.self, .writes,
            withoutNode: { store, _ throws(RequestError) in try await store.rebuild() },
            damaged: { store, _ throws(RequestError) in try await store.file.salvage() },
            { wall, _, now throws(RequestError) in try await wall.rebuild(at: now) })
        table.onWall(VacuumStore.self, .writes) { wall, _, _ throws(RequestError) in try await wall.vacuum() }
        table.onWall(ShowKeepRule.self) { wall, _, _ throws(RequestError) in try await wall.keepRule() }
        table.onWall(SetKeepRule.self, .writes) { wall, request, _ throws(RequestError) in
            try await wall.setKeepRule(request.rule)
        }
        table.onWall(ExportBundle.self) { wall, request, now throws(RequestError) in
            try await wall.exportBundle(request.path, request.selection, at: now)
        }
        table.onWall(ImportBundle.self, .writes) { wall, request, now throws(RequestError) in
            try await wall.importBundle(request.path, at: now)
        }
    }
}
