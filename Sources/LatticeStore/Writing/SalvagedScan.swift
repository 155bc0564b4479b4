import LatticeCore

/// What lies on the pages of a damaged file, whether or not SQLite finds the way to them: pages that were given up and
/// earlier states of the log among them, so what comes of it may be what had expired or had to go.
struct SalvagedScan {
    private let pages: SalvagedPages
    /// Ids of what was taken back: an earlier state of it is not for keeping.
    private(set) var erased: Set<Bytes32> = []
    /// The newest of each.
    private(set) var settings: [String: String] = [:]
    /// The newest.
    private(set) var clock: HybridTime?
    /// Numbers of records in the outbox.
    private(set) var waiting: Set<Int64> = []

    /// Reads everything once, for what says which rows to keep.
    init(_ pages: SalvagedPages) {
        self.pages = pages
        for index in 0..<pages.count {
            let page = pages.page(index)
            for usable in pages.usable {
                for cell in SalvagedCell.all(on: page.bytes, isFirst: page.isFirst, usable: usable) { note(cell) }
            }
        }
    }

    /// What these say lies on the page itself, however long the row is.
    private mutating func note(_ cell: SalvagedCell) {
        do {
            switch SalvagedFinding(cell, try SalvagedValue.row(cell.local)) {
            case .erased(let id): erased.insert(id)
            case .setting(let key, let value) where settings[key] == nil: settings[key] = value
            case .waiting(let seq): waiting.insert(seq)
            case .clock(let date) where clock == nil: clock = date
            case .setting, .clock, .record, .nothing: break
            }
        } catch {
            return
        }
    }

    var pageCount: Int { pages.count }

    /// What may be records on one page.
    func rows(onPage index: Int) -> [SalvagedRow] {
        let page = pages.page(index)
        return pages.usable.flatMap { usable in
            SalvagedCell.all(on: page.bytes, isFirst: page.isFirst, usable: usable).compactMap { cell in
                guard cell.tree == .table else { return nil }
                return row(cell, on: page, usable: usable)
            }
        }
    }

    /// With what it may say in every state of the files that its rest can be found in.
    private func row(_ cell: SalvagedCell, on page: SalvagedPages.Page, usable: Int) -> SalvagedRow? {
        // Only what begins like a record is followed from page to page.
        guard let beginning = beginning(of: cell) else { return nil }
        var found: SalvagedRow?
        for state in cell.overflow == nil ? Array(page.states.prefix(1)) : page.states {
            do {
                let payload = try pages.payload(of: cell, usable: usable, in: state)
                guard case .record(let row) = SalvagedFinding(cell, try SalvagedValue.row(payload[...])) else {
                    continue
                }
                let others = found?.candidates ?? []
                found = row
                found?.candidates = others + row.candidates.filter { !others.contains($0) }
            } catch {
                continue
            }
        }
        return found ?? beginning
    }

    /// What lies on the page itself; if the rest is gone, that the row was here is known.
    private func beginning(of cell: SalvagedCell) -> SalvagedRow? {
        do {
            guard case .record(let row) = SalvagedFinding(cell, try SalvagedValue.row(cell.local)) else { return nil }
            return row
        } catch {
            return nil
        }
    }
}
