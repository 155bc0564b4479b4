import LatticeWire

/// The sending half of a session: encrypts frames into messages.
package struct Sealer: ~Copyable, Sendable {
    /// Messages under one key; the last of them contains the `rekey`.
    package static let rekeyIntervalMessages: UInt64 = 1 << 20
    /// Leaves space for a `rekey` after the frame; a record takes at most 60,008.
    package static let frameBytesMax = Frame.plaintextBytesMax - rekeyFrame.count

    private static let rekeyFrame = Frame.rekey.bytes

    private var cipher: CipherState
    private let interval: UInt64
    private var messagesUnderKey: UInt64 = 0

    package init(_ cipher: consuming CipherState, rekeyIntervalMessages: UInt64 = Self.rekeyIntervalMessages) {
        precondition(rekeyIntervalMessages > 0, "a key seals at least the message that announces the next one")
        self.cipher = cipher
        interval = rekeyIntervalMessages
    }

    /// Packs encoded frames, in order, into as few messages as possible, and encrypts them.
    ///
    /// - Parameter frames: each from `Frame.bytes`, at most `frameBytesMax` long.
    /// - Returns: the encrypted messages concatenated, each with its 2-byte length; empty without frames.
    package mutating func seal(_ frames: [[UInt8]]) -> [UInt8] {
        var output: [UInt8] = []
        let frameBytes = frames.reduce(0) { $0 + $1.count }
        output.reserveCapacity(frameBytes + 32 * (1 + frameBytes / (Frame.plaintextBytesMax / 2)))
        var next = frames.startIndex
        while next < frames.endIndex {
            let end = endOfMessage(frames, from: next)
            seal(frames[next..<end], to: &output)
            next = end
        }
        return output
    }

    /// The message for a time-based rekey: it announces the new key, encrypted with the old one.
    package mutating func rekeyed() -> [UInt8] {
        var output: [UInt8] = []
        messagesUnderKey = interval - 1
        seal([], to: &output)
        return output
    }

    private var endsKey: Bool { messagesUnderKey == interval - 1 }

    private func endOfMessage(_ frames: [[UInt8]], from start: Int) -> Int {
        let room = endsKey ? Self.frameBytesMax : Frame.plaintextBytesMax
        let countMax = endsKey ? Frame.countPerMessageMax - 1 : Frame.countPerMessageMax
        var end = start
        var used = 0
        while end < frames.endIndex, end - start < countMax {
            precondition(frames[end].count <= Self.frameBytesMax, "our own frames fit into a message")
            used += frames[end].count
            if used > room { break }
            end += 1
        }
        return end
    }

    private mutating func seal(_ frames: ArraySlice<[UInt8]>, to output: inout [UInt8]) {
        let prefix = output.count
        output += [0, 0]
        for frame in frames { output += frame }
        let endsKey = endsKey
        if endsKey { output += Self.rekeyFrame }
        do {
            try cipher.encrypt(authenticating: [], in: &output, from: prefix + 2)
        } catch {
            preconditionFailure("2^64 messages cannot have been sent: \(error)")
        }
        let count = output.count - prefix - 2
        output[prefix] = UInt8(count >> 8)
        output[prefix + 1] = UInt8(count & 255)
        messagesUnderKey += 1
        if endsKey {
            cipher.rekey()
            messagesUnderKey = 0
        }
    }
}
