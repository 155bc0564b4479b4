package import LatticeWire

/// Why a request to the files of blobs failed.
package enum BlobFault: Error, Hashable, Sendable {
    case diskFull(path: String)
    /// This piece is not as it was written.
    case damaged(piece: Int)
    /// This piece is as it was written, but the key does not open it: the author's fault.
    case notOpened(piece: Int)
    /// The blob is no folder of the form that is required.
    case notAFolder(WireError)
    /// Neither the blob nor a part of it is here.
    case notHere
    /// The blob cannot be finished while pieces are missing.
    case incomplete(missing: Int)
    /// More bytes came than the limit of an upload.
    case tooLarge(bytesMax: Int64)
    /// An export found no free name in the folder.
    case noFreeName(String)
    /// Another process uses the folder.
    case inUse(path: String)
    case ioFailed(path: String, code: Int32)
    /// The task that waits for an export was cancelled.
    case cancelled
    /// Too many requests wait.
    case queueFull
    /// The files were closed, or the upload has ended.
    case closed
}
