package import LatticeCore

/// Disk, ports and limits of this machine.
package struct MachineFact: Hashable, Sendable {
    package struct Folder: Hashable, Sendable {
        package var path: String
        /// Why the folder is not writable; `nil` if it is.
        package var objection: String?
        /// Free bytes for this user, and the size of the disk; `nil` if the system does not report them.
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
        case taken(by: String?)
        case forbidden
    }

    package var folder: Folder?
    /// The problem with this person's data and what to do about it, in one sentence; `nil` if none is known.
    package var dataObjection: String?
    /// The requested TCP port; `nil` if any will do, or a node has it.
    package var port: Port?
    /// How many files and sockets may be open at once.
    package var descriptors: Int?
    package var clock: WallTime?

    package init(folder: Folder? = nil, port: Port? = nil, descriptors: Int? = nil, clock: WallTime? = nil) {
        self.folder = folder
        self.port = port
        self.descriptors = descriptors
        self.clock = clock
    }
}
