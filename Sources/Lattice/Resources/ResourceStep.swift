/// How far a transfer of a resource is.
public struct ResourceStep: Hashable, Sendable {
    /// Bytes of the file that have come and were verified, or, on the side of the sender, that were handed over. A transfer that
    /// goes on where an earlier one stopped begins with those that are there.
    public let completedBytes: Int64
    /// The size of the file, 0 to 32 GiB.
    public let totalBytes: Int64

    /// From 0 to 1; 1 for an empty file.
    public var fraction: Double { totalBytes == 0 ? 1 : Double(completedBytes) / Double(totalBytes) }
}
