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

    /// `XXpsk3` (section 9.4): as `XX`, and the third message proves that both know the key of the mesh.
    package static let xxpsk3 = NoisePattern(
        protocolName: "Noise_XXpsk3_25519_ChaChaPoly_SHA256",
        messages: [[.e], [.e, .ee, .s, .es], [.s, .se, .psk]]
    )
}
