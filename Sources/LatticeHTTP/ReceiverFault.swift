/// Why a GPS receiver tells no position.
package enum ReceiverFault: Error, Hashable, Sendable {
    /// Nothing answers as a receiver.
    case absent
    /// It sees too little of the sky yet.
    case noFix
}
