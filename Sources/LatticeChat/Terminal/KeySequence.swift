/// An escape sequence that begins with ESC [ or ESC O, and its key in the encodings of xterm, VT220, rxvt, PuTTY,
/// screen, tmux and the Linux console.
struct KeySequence: Equatable, Sendable {
    enum Introducer: Equatable {
        /// ESC [
        case control
        /// ESC O
        case singleShift
    }

    let introducer: Introducer
    /// Whether two ESC preceded it.
    let isAlt: Bool
    /// The bytes between the introducer and the final byte.
    var parameters: [UInt8] = []

    init(_ introducer: Introducer, isAlt: Bool) {
        self.introducer = introducer
        self.isAlt = isAlt
    }

    func opensPaste(final: UInt8) -> Bool {
        introducer == .control && final == UInt8(ascii: "~") && numbers.first == 200
    }

    /// The key, or nil if the sequence means nothing here.
    func key(final: UInt8) -> Key? {
        switch Unicode.Scalar(final) {
        case "A": .up
        case "B": .down
        case "C": movesByWord ? .wordRight : .right
        case "D": movesByWord ? .wordLeft : .left
        // rxvt sends lower case for Control (ESC O) or Shift (ESC [).
        case "a" where parameters.isEmpty: .up
        case "b" where parameters.isEmpty: .down
        case "c" where parameters.isEmpty: introducer == .singleShift || isAlt ? .wordRight : .right
        case "d" where parameters.isEmpty: introducer == .singleShift || isAlt ? .wordLeft : .left
        case "H": .home
        case "F": .end
        case "I" where introducer == .control && parameters.isEmpty: .focusGained
        case "O" where introducer == .control && parameters.isEmpty: .focusLost
        case "M" where introducer == .singleShift: .enter
        case "~", "^", "$", "@": numbered
        default: nil
        }
    }

    /// ESC [ number ; modifiers ~. rxvt replaces ~ with ^ $ @ for modifiers.
    private var numbered: Key? {
        switch numbers.first {
        case 1, 7: .home
        case 4, 8: .end
        case 3: movesByWord ? .alt("d") : .delete
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
    }

    /// Whether the modifiers contain Alt (2), Control (4) or Meta (8). xterm sends their sum plus one.
    private var movesByWord: Bool {
        let isGiven = numbers.count > 1 || introducer == .singleShift
        let modifiers = max(1, isGiven ? numbers[numbers.count - 1] : 1)
        return isAlt || (modifiers - 1) & 0b1110 != 0
    }

    private var numbers: [Int] {
        parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { digits in
            // No key number has more than four digits.
            digits.count > 4 ? 0 : digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
        }
    }
}
