import LatticeAPI

/// The owner's store: figures, repair, retention and bundles.
enum StoreHandlers {
    static func register(in table: inout HandlerTable) {
        table.onDesk(ShowStoreStats.self) { desk, _, now throws(RequestError) in try await desk.wall.stats(at: now) }
        table.onDesk(
            CheckStore.self,
            damaged: { store, _ throws(RequestError) in
                StoreCheck(records: 0, faults: ["\(store.file.path) is damaged (\(store.reason))"])
            },
            { desk, _, _ throws(RequestError) in try await desk.wall.check() })
        table.onDesk(
            RebuildStore.self, .writes,
            withoutNode: { store, _ throws(RequestError) in try await store.rebuild() },
            damaged: { store, _ throws(RequestError) in try await store.file.salvage() },
            { desk, _, now throws(RequestError) in try await desk.wall.rebuild(at: now) })
        table.onDesk(VacuumStore.self, .writes) { desk, _, _ throws(RequestError) in try await desk.wall.vacuum() }
        table.onDesk(ShowKeepRule.self) { desk, _, _ throws(RequestError) in try await desk.wall.keepRule() }
        table.onDesk(SetKeepRule.self, .writes) { desk, request, _ throws(RequestError) in
            try await desk.wall.setKeepRule(request.rule)
        }
        table.onDesk(ExportBundle.self) { desk, request, now throws(RequestError) in
            try await desk.wall.exportBundle(request.path, request.selection, at: now)
        }
        table.onDesk(ImportBundle.self, .writes) { desk, request, now throws(RequestError) in
            try await desk.wall.importBundle(request.path, at: now)
        }
    }
}
