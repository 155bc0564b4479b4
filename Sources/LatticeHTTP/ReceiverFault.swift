/// Why a GPS receiver gives no position.
package enum ReceiverFault: Error, Hashable, Sendable {
    /// There is no receiver.
    case absent
    /// It does not see enough satellites yet.
    case noFix
}
