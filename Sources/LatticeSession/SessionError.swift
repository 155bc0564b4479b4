import LatticeCrypto
package import LatticeWire

/// Why a session cannot continue. Each of these ends the link; none can be answered within it.
package enum SessionError: Error, Equatable, CustomStringConvertible {
    /// A key of low order, which would make the session key public.
    case lowOrderKey
    /// A message was changed, repeated, omitted, or encrypted with another key.
    case decryptionFailed
    /// The first message decrypts only with another mesh key (or was changed on the way).
    case wrongMeshKey
    /// The other side speaks another version of this protocol.
    case wrongVersion(UInt8)
    /// The identity did not sign the other side's static key.
    case badIdentity
    case wire(WireError)
    case tooLong(bytes: Int, bytesMax: Int)
    /// A length prefix of zero.
    case emptyMessage
    /// A message at a time when none is allowed: before `begin`, or after the last one of the handshake.
    case unexpectedMessage
    /// Frames after a `rekey`, which must be the last frame of its message.
    case framesAfterRekey
    /// 2^64 - 1 messages under one key.
    case nonceExhausted

    package var description: String {
        switch self {
        case .lowOrderKey: "the other side sent a key that makes no secret"
        case .decryptionFailed: "a message does not open: it was changed, repeated or left out on the way"
        case .wrongMeshKey: "the other side does not have the passphrase of this mesh, or another one"
        case .wrongVersion(let version):
            "the other side speaks version \(version) of the protocol and this one \(Handshake.version), "
                + "or its mesh is closed and this one open"
        case .badIdentity: "the other side claims an identity that did not sign its key"
        case .wire(let error): error.description
        case .tooLong(let bytes, let bytesMax): "a message has \(bytes) bytes, \(bytesMax) are allowed"
        case .emptyMessage: "a message has no bytes"
        case .unexpectedMessage: "a message came when none was expected"
        case .framesAfterRekey: "frames follow a rekey, which ends its message"
        case .nonceExhausted: "the message counter is used up; the session must end"
        }
    }

    init(_ error: CryptoError) {
        switch error {
        case .lowOrderKey: self = .lowOrderKey
        case .decryptionFailed: self = .decryptionFailed
        case .badSignature: self = .badIdentity
        }
    }
}
