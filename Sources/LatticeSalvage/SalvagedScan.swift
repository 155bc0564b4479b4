import LatticeCore
import LatticeWire

/// The content of all pages of a damaged file, whether or not SQLite can reach them. They include free pages and earlier
/// states of the log, so it may find records that had expired or were evicted.
struct SalvagedScan {
    private let pages: SalvagedPages
    /// Ids of erased records: earlier states of those must not be stored.
    private(set) var erased: Set<RecordID> = []
    /// The newest value of each.
    private(set) var settings: [String: String] = [:]
    /// The newest value.
    private(set) var clock: HybridTime?
    /// Numbers of records in the outbox.
    private(set) var waiting: Set<Int64> = []

    /// Reads all pages once, to learn which rows to store.
    init(_ pages: SalvagedPages) {
        self.pages = pages
        for index in 0..<pages.count {
            let page = pages.page(index)
            for usable in pages.usable {
                for cell in SalvagedCell.all(on: page.bytes, isFirst: page.isFirst, usable: usable) { note(cell) }
            }
        }
    }

    /// These rows are short enough to be on the page itself.
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

    /// Possible records on one page.
    func rows(onPage index: Int) -> [SalvagedRow] {
        let page = pages.page(index)
        return pages.usable.flatMap { usable in
            SalvagedCell.all(on: page.bytes, isFirst: page.isFirst, usable: usable).compactMap { cell in
                guard cell.tree == .table else { return nil }
                return row(cell, on: page, usable: usable)
            }
        }
    }

    /// Includes the versions from every state of the files in which the rest can be found.
    private func row(_ cell: SalvagedCell, on page: SalvagedPages.Page, usable: Int) -> SalvagedRow? {
        // Overflow pages are only followed for rows that begin like a record.
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

    /// The part on the page itself; if the rest is lost, it shows at least that the row existed.
    private func beginning(of cell: SalvagedCell) -> SalvagedRow? {
        do {
            guard case .record(let row) = SalvagedFinding(cell, try SalvagedValue.row(cell.local)) else { return nil }
            return row
        } catch {
            return nil
        }
    }
}
