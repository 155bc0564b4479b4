/// Who says what in which message of a handshake (Noise section 7).
package struct NoisePattern: Sendable {
    package enum Token: Sendable {
        /// The sender's ephemeral key.
        case e
        /// The sender's static key.
        case s
        /// Diffie-Hellman of the keys named, the initiator's first.
        case ee, es, se
        /// The key that both were given beforehand (section 9).
        case psk
    }

    package let protocolName: String
    package let messages: [[Token]]

    package var hasPreSharedKey: Bool { messages.contains { $0.contains(.psk) } }

    /// `XX` (section 7.5): both sides send their static keys, each under the cover of what was agreed before.
    package static let xx = NoisePattern(
        protocolName: "Noise_XX_25519_ChaChaPoly_SHA256",
        messages: [[.e], [.e, .ee, .s, .es], [.s, .se]]
    )

    /// `XXpsk0` (section 9.4): as `XX`, with the key of the mesh mixed in before anything is said. A stranger's first message
    /// does not open, and nothing is said to a stranger; every later key depends on that of the mesh, too.
    package static let xxpsk0 = NoisePattern(
        protocolName: "Noise_XXpsk0_25519_ChaChaPoly_SHA256",
        messages: [[.psk, .e], [.e, .ee, .s, .es], [.s, .se]]
    )
}
