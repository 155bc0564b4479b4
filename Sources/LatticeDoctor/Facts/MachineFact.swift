package import LatticeCore

/// What this machine lets the program do.
package struct MachineFact: Hashable, Sendable {
    package struct Folder: Hashable, Sendable {
        package var path: String
        /// Why nothing can be written there; `nil` where it can.
        package var objection: String?
        /// Bytes that this person may still write, and that the disk has in all; `nil` where the system does not say.
        package var freeBytes: UInt64?
        package var totalBytes: UInt64?

        package init(path: String, objection: String? = nil, freeBytes: UInt64? = nil, totalBytes: UInt64? = nil) {
            self.path = path
            self.objection = objection
            self.freeBytes = freeBytes
            self.totalBytes = totalBytes
        }
    }

    package enum Port: Hashable, Sendable {
        case free
        /// By whom, if that may be known.
        case taken(by: String?)
        case forbidden
    }

    package var folder: Folder?
    /// What is wrong with what this person keeps, and what to do about it: one sentence; `nil` where nothing is known to be.
    package var dataObjection: String?
    /// Of the TCP port that was asked for; `nil` if any will do, or a node has it.
    package var port: Port?
    /// How many files and connections may be open at once.
    package var descriptors: Int?
    package var clock: WallTime?

    package init(folder: Folder? = nil, port: Port? = nil, descriptors: Int? = nil, clock: WallTime? = nil) {
        self.folder = folder
        self.port = port
        self.descriptors = descriptors
        self.clock = clock
    }
}
