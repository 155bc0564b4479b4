import LatticeAPI

/// The owner's store: figures, repair, retention and bundles.
enum StoreHandlers {
    static func register(in table: inout HandlerTable) {
        table.onDesk(ShowStoreStats.self) { desk, _, now throws(RequestError) in try await desk.archive.stats(at: now) }
        table.onDesk(
            CheckStore.self,
            damaged: { store, _ throws(RequestError) in
                StoreCheck(records: 0, faults: ["\(store.file.path) is damaged (\(store.reason))"])
            },
            { desk, _, _ throws(RequestError) in try await desk.archive.check() })
        table.onDesk(
            RebuildStore.self, .writes,
            withoutNode: { store, _ throws(RequestError) in try await store.rebuild() },
            damaged: { store, _ throws(RequestError) in try await store.file.salvage() },
            { desk, _, now throws(RequestError) in try await desk.archive.rebuild(at: now) })
        table.onDesk(VacuumStore.self, .writes) { desk, _, _ throws(RequestError) in try await desk.archive.vacuum() }
        table.onDesk(ShowRetention.self) { desk, _, _ throws(RequestError) in try await desk.archive.retention() }
        table.onDesk(SetRetention.self, .writes) { desk, request, _ throws(RequestError) in
            try await desk.archive.setRetention(request.rule)
        }
        table.onDesk(ExportBundle.self) { desk, request, now throws(RequestError) in
            try await desk.archive.exportBundle(request.path, request.selection, at: now)
        }
        table.onDesk(ImportBundle.self, .writes) { desk, request, now throws(RequestError) in
            try await desk.archive.importBundle(request.path, at: now)
        }
    }
}
