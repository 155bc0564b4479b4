import LatticeChat
import LatticeCore

/// The word that somebody may have meant, as the end of a sentence.
package enum Suggestion {
    /// `; did you mean mesh?`, or nothing where no word is near.
    package static func text(_ typed: String, among words: [String]) -> String {
        Spelling.nearest(to: typed.lowercased(), among: words).map { "; did you mean \($0)?" } ?? ""
    }
}
