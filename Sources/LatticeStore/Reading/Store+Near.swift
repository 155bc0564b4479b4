import LatticeCore
import LatticeWire

extension Store {
    /// Unexpired, not deleted posts or events around a place: nearest first to a tenth of a metre, then in order of arrival.
    /// Pages neither overlap nor leave anything out.
    package func near(_ search: NearSearch) async throws(StoreError) -> [Found] {
        try snapshot { try $0.near(search) }
    }
}
