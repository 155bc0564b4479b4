/// One key press or one paste, as `KeyDecoder` reads it from a terminal's bytes.
package enum Key: Equatable, Sendable {
    /// A typed scalar. Marks and joiners are keys of their own: a chunk of bytes may cut a grapheme cluster anywhere,
    /// so only the line can tell where a cluster ends.
    case text(Unicode.Scalar)
    /// The text of a bracketed paste, including line breaks. `isTruncated` if it was longer than
    /// `KeyDecoder.pasteBytesMax`; the rest is lost.
    case paste(String, isTruncated: Bool)
    /// Control with a letter, in lower case.
    case control(Character)
    /// Alt (or a preceding Escape) with a printable ASCII character; letters in lower case.
    case alt(Character)
    case altBackspace
    case enter, tab, backspace, delete, escape
    case up, down, left, right, wordLeft, wordRight
    case home, end, pageUp, pageDown
    /// The terminal's window got or lost the focus.
    case focusGained, focusLost
}
