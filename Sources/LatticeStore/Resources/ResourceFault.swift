/// Why a file of a program was not read or not saved.
package enum ResourceFault: Error, Hashable, Sendable {
    /// A folder, a device, a pipe or a socket stands there.
    case notAFile(path: String)
    /// More than `BlobName.sizeMax`.
    case tooLarge(path: String)
    /// The file is not as it was when it was hashed.
    case changed(path: String)
    /// Another file stands there, and may not be replaced.
    case exists(path: String)
    /// A part of that name belongs to another user.
    case notOwn(path: String)
    /// Another transfer writes this file.
    case inUse(path: String)
    case noSpace(SpaceNeeded)
    case disk(BlobFault)
    case cancelled
}

/// Turns the faults of files into those of resources.
func resourceFile<Value>(_ work: () throws(BlobFault) -> Value) throws(ResourceFault) -> Value {
    do throws(BlobFault) {
        return try work()
    } catch {
        throw .disk(error)
    }
}
