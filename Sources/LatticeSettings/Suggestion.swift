import LatticeChat
import LatticeCore

/// Suggests a known word, as the end of a sentence.
package enum Suggestion {
    /// `; did you mean mesh?`, or nothing if no word is similar.
    package static func text(_ typed: String, among words: [String]) -> String {
        Spelling.nearest(to: typed.lowercased(), among: words).map { "; did you mean \($0)?" } ?? ""
    }
}
