package import LatticeWire

/// The receiving half of a session: decrypts messages into frames. It fails permanently after an error.
package struct Opener: ~Copyable, Sendable {
    private var cipher: CipherState
    private var failure: SessionError?

    package init(_ cipher: consuming CipherState) {
        self.cipher = cipher
        failure = nil
    }

    /// Decrypts the next message, without its length prefix. A changed, repeated or omitted message is an error.
    ///
    /// - Returns: the frames of known types in order, including `rekey`, which is already applied.
    package mutating func open(_ message: ArraySlice<UInt8>) throws(SessionError) -> [Frame] {
        if let failure { throw failure }
        do throws(SessionError) {
            return try frames(message)
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func frames(_ message: ArraySlice<UInt8>) throws(SessionError) -> [Frame] {
        let plaintext = try cipher.decrypt(authenticating: [], message)
        let frames: [Frame]
        do {
            frames = try Frame.decode(message: plaintext[...])
        } catch {
            throw .wire(error)
        }
        guard let rekey = frames.firstIndex(of: .rekey) else { return frames }
        guard rekey == frames.endIndex - 1 else { throw .framesAfterRekey }
        cipher.rekey()
        return frames
    }
}
