import Foundation
import GRDB

extension Store {
    /// Checks the beginning of a store's file and the list of its tables, and changes nothing. `lattice store check` reads
    /// all of it.
    ///
    /// - Returns: the fault; `nil` if the file opens or does not exist.
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
            // A read-only folder is reported for the folder, and a busy file is no fault.
            let fault = StoreError(error, path: name)
            if case .damaged = fault { return fault }
            return nil
        }
    }
}
