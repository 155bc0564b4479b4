/// One press of a key, or one paste, as `KeyDecoder` reads it out of a terminal's bytes.
package enum Key: Equatable, Sendable {
    /// A scalar that was typed. Marks and joiners come as keys of their own: a grapheme cluster may be cut by a chunk
    /// of bytes at any place, so only the line that holds them can tell where one ends.
    case text(Unicode.Scalar)
    /// Text between the brackets of a bracketed paste, line ends included. `isTruncated`: there was more of it than
    /// `KeyDecoder.pasteBytesMax`, and the rest is lost.
    case paste(String, isTruncated: Bool)
    /// Control with a letter, given in lower case.
    case control(Character)
    /// Alt (or Escape before it) with a printable ASCII character, letters in lower case.
    case alt(Character)
    case altBackspace
    case enter, tab, backspace, delete, escape
    case up, down, left, right, wordLeft, wordRight
    case home, end, pageUp, pageDown
}
