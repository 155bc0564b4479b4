import Foundation
import GRDB

extension Store {
    /// What is wrong with the file of a store, as far as its beginning and the list of its tables tell. Changes nothing; `lattice store
    /// check` reads all of it.
    ///
    /// - Returns: `nil` where it opens, and where there is none.
    package static func fault(at name: String) -> StoreError? {
        guard FileManager.default.fileExists(atPath: name) else { return nil }
        var configuration = StoreOpening.configuration
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: StoreOpening.plainPath(name), configuration: configuration)
            let state = try queue.read { try Schema.state(in: $0) }
            try queue.close()
            return state == .newer ? .tooNew(path: name) : nil
        } catch {
            // That it cannot be written to is told of its folder, and that somebody else is at it is no fault.
            let fault = StoreError(error, path: name)
            if case .damaged = fault { return fault }
            return nil
        }
    }
}
