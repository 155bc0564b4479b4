/// The tokens of each message of a handshake (Noise section 7).
package struct NoisePattern: Sendable {
    package enum Token: Sendable {
        /// The sender's ephemeral key.
        case e
        /// The sender's static key.
        case s
        /// Diffie-Hellman of the keys named, the initiator's first.
        case ee, es, se
        /// The pre-shared key (section 9).
        case psk
    }

    package let protocolName: String
    package let messages: [[Token]]

    package var hasPreSharedKey: Bool { messages.contains { $0.contains(.psk) } }

    /// `XX` (section 7.5): both sides send their static keys, encrypted with what was agreed before.
    package static let xx = NoisePattern(
        protocolName: "Noise_XX_25519_ChaChaPoly_SHA256",
        messages: [[.e], [.e, .ee, .s, .es], [.s, .se]]
    )

    /// `XXpsk0` (section 9.4): like `XX`, with the mesh key mixed in first. A stranger's first message does not decrypt
    /// and gets no answer; every later key depends on the mesh key, too.
    package static let xxpsk0 = NoisePattern(
        protocolName: "Noise_XXpsk0_25519_ChaChaPoly_SHA256",
        messages: [[.psk, .e], [.e, .ee, .s, .es], [.s, .se]]
    )
}
