/// Decodes a terminal's bytes into keys. How the bytes are split into chunks makes no difference.
package struct KeyDecoder: Sendable {
    /// The longest escape sequence to wait for, a guess; a longer one is no key and ends as text.
    package static let sequenceBytesMax = 32
    /// Sixteen lines at the usual limit; anything longer is not chat.
    package static let pasteBytesMax = 64 * 1_024

    private enum State: Equatable {
        /// Text and control bytes. Next: `escape`.
        case ground
        /// After ESC; `isDoubled` after two, which some terminals send for Alt with an arrow. Next: any.
        case escape(isDoubled: Bool)
        /// After ESC [ or ESC O, with the bytes since. Next: `ground`, `paste`, or `escape` when another ESC cuts it off.
        case sequence(KeySequence)
        /// After ESC [ [ (function keys of the Linux console): one more byte, which is ignored. Next: `ground`.
        case oneMore
        /// In an unrequested report (OSC, DCS, APC, PM, SOS), up to its BEL or ESC \. Next: `ground` or `escape`.
        case report(bytes: Int)
        /// Between ESC [ 200 ~ and ESC [ 201 ~. Next: `ground`.
        case paste
    }

    private var state = State.ground
    private var assembler = ScalarAssembler()
    /// Used only in `paste`. It is not part of that case, because every byte would then copy all bytes before it.
    private var collector = PasteCollector(bytesMax: pasteBytesMax)

    package init() {}

    /// Whether the pending bytes may be a complete key, so that a short silence decides (see `flush`).
    package var awaitsSilence: Bool {
        switch state {
        case .escape, .oneMore, .report: true
        case .sequence(let sequence): sequence.parameters.isEmpty
        case .ground, .paste: false
        }
    }

    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, into: &keys) }
        return keys
    }

    /// Reports a short silence: a lone ESC is the Escape key, ESC [ is Alt with a bracket. An unfinished paste or
    /// sequence continues.
    package mutating func flush() -> [Key] {
        guard awaitsSilence else { return [] }
        let isEscape = if case .escape = state { true } else { false }
        state = .ground
        return isEscape ? [.escape] : []
    }

    private mutating func take(_ byte: UInt8, into keys: inout [Key]) {
        switch state {
        case .ground: ground(byte, into: &keys)
        case .escape(let isDoubled): escaped(byte, isDoubled: isDoubled, into: &keys)
        case .sequence(let sequence): sequenced(byte, sequence, into: &keys)
        case .oneMore: state = .ground
        case .report(let bytes): reported(byte, bytes: bytes)
        case .paste: pasted(byte, into: &keys)
        }
    }

    private mutating func ground(_ byte: UInt8, into keys: inout [Key]) {
        var scalars: [Unicode.Scalar] = []
        assembler.push(byte, into: &scalars)
        for scalar in scalars {
            switch scalar.value {
            case 0x1B: state = .escape(isDoubled: false)
            case 0x00...0x1F, 0x7F:
                if let key = Self.controlKey(scalar) { keys.append(key) }
            case 0x80...0x9F: break
            default: keys.append(.text(scalar))
            }
        }
    }

    private mutating func escaped(_ byte: UInt8, isDoubled: Bool, into keys: inout [Key]) {
        switch byte {
        case 0x1B:
            if isDoubled { keys.append(.escape) }
            state = .escape(isDoubled: true)
        case UInt8(ascii: "["): state = .sequence(KeySequence(.control, isAlt: isDoubled))
        case UInt8(ascii: "O"): state = .sequence(KeySequence(.singleShift, isAlt: isDoubled))
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            state = .report(bytes: 0)
        case 0x08, 0x7F:
            state = .ground
            keys.append(.altBackspace)
        case 0x20...0x7E:
            state = .ground
            keys.append(.alt(Character(Character(Unicode.Scalar(byte)).lowercased())))
        default:
            state = .ground
            keys.append(.escape)
            ground(byte, into: &keys)
        }
    }

    private mutating func sequenced(_ byte: UInt8, _ sequence: KeySequence, into keys: inout [Key]) {
        switch byte {
        case 0x20...0x3F where sequence.parameters.count < Self.sequenceBytesMax:
            var longer = sequence
            longer.parameters.append(byte)
            state = .sequence(longer)
        case UInt8(ascii: "[") where sequence.introducer == .control && sequence.parameters.isEmpty:
            state = .oneMore
        case 0x40...0x7E:
            state = sequence.opensPaste(final: byte) ? .paste : .ground
            if let key = sequence.key(final: byte) { keys.append(key) }
        default:
            state = .ground
            ground(byte, into: &keys)
        }
    }

    private mutating func reported(_ byte: UInt8, bytes: Int) {
        switch byte {
        case 0x07: state = .ground
        // ESC \ ends it, too; the backslash is then read as Alt with a backslash, which does nothing.
        case 0x1B: state = .escape(isDoubled: false)
        default: state = bytes + 1 < Self.sequenceBytesMax ? .report(bytes: bytes + 1) : .ground
        }
    }

    private mutating func pasted(_ byte: UInt8, into keys: inout [Key]) {
        guard collector.take(byte) else { return }
        keys.append(.paste(collector.text, isTruncated: collector.isTruncated))
        collector = PasteCollector(bytesMax: Self.pasteBytesMax)
        state = .ground
    }

    private static func controlKey(_ scalar: Unicode.Scalar) -> Key? {
        switch scalar.value {
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x01...0x1A: Unicode.Scalar(scalar.value + 0x60).map { .control(Character($0)) }
        default: nil
        }
    }
}
