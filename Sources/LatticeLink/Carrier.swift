package import LatticeCore
package import LatticeSocket
package import NIOCore

/// Makes the connections that links run over, in place of TCP.
package protocol Carrier: Sendable {
    /// Where all its connections run.
    var eventLoop: any EventLoop { get }

    /// - Parameters:
    ///   - port: 0 lets the carrier choose.
    ///   - peer: who listens.
    func listen(port: UInt16, as peer: PeerID) -> any CarrierPort
}

/// Where a node listens, and from where it dials.
package protocol CarrierPort: Sendable {
    var port: UInt16 { get }
    /// Decides about the next datagram that is written to one of its connections; `nil` loses none on purpose.
    var losesDatagram: (@Sendable (any Channel) -> Bool)? { get }

    /// Serves each connection that others open in a task of its own, until its task is cancelled. Then nobody listens any more.
    ///
    /// - Throws: why it cannot go on listening.
    func accept(_ serve: @escaping @Sendable (Arrival) async -> Void) async throws

    func dial(_ address: PeerAddress, timeout: Duration) async throws(DialEnd) -> any Channel
}
