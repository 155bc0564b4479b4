import LatticeCore
import LatticeWire

extension Store {
    /// Posts or events around a place that have not expired and were not taken back: nearest first to a tenth of a metre, then in
    /// the order in which they came. Pages do not overlap and leave nothing out.
    package func near(_ search: NearSearch) async throws(StoreError) -> [Found] {
        try snapshot { try $0.near(search) }
    }
}
