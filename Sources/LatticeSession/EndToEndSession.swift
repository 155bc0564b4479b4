package import LatticeWire

/// A session between two peers over any transport, even relays that can read and change everything: Noise as on a link,
/// with another prologue, so that messages of one kind of handshake are invalid in the other.
///
/// Messages must arrive in the order in which they were encrypted.
package struct EndToEndSession: ~Copyable, Sendable {
    package static let prologue = Array("lattice stream/1".utf8)

    /// What the other side says about itself; only its identity is proven.
    package let peer: Introduction
    private var outgoing: CipherState
    private var incoming: CipherState
    private let interval: UInt64
    private var failure: SessionError?
    /// For what may be lost, and comes in any order.
    package var datagrams: DatagramCipher

    init(
        peer: Introduction, outgoing: consuming CipherState, incoming: consuming CipherState,
        datagrams: consuming DatagramCipher, rekeyIntervalMessages: UInt64
    ) {
        self.peer = peer
        self.outgoing = outgoing
        self.incoming = incoming
        self.datagrams = datagrams
        interval = rekeyIntervalMessages
        failure = nil
    }

    /// - Parameter message: at most 65,519 bytes.
    package mutating func seal(_ message: consuming [UInt8]) -> [UInt8] {
        var sealed = message
        seal(in: &sealed, from: 0)
        return sealed
    }

    package mutating func seal(in buffer: inout [UInt8], from start: Int) {
        do {
            try outgoing.encrypt(authenticating: [], in: &buffer, from: start)
        } catch {
            preconditionFailure("2^64 messages cannot have been sent: \(error)")
        }
        if outgoing.nonce.isMultiple(of: interval) { outgoing.rekey() }
    }

    /// It fails permanently after an error.
    package mutating func open(_ sealed: ArraySlice<UInt8>) throws(SessionError) -> [UInt8] {
        if let failure { throw failure }
        do throws(SessionError) {
            let message = try incoming.decrypt(authenticating: [], sealed)
            if incoming.nonce.isMultiple(of: interval) { incoming.rekey() }
            return message
        } catch {
            failure = error
            throw error
        }
    }
}
