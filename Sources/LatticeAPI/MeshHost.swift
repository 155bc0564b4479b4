package import LatticeCore

/// A node that several people use, each with keys of their own: what a front needs that many people talk through.
package protocol MeshHost: MeshNode {
    /// Somebody comes in: others see them from now on as they see any peer. The same account is the same person, with the same
    /// keys, each time.
    ///
    /// - Throws: `busy` if that account is in already, `tooManyPeople` if no more can be.
    func admit(_ account: AccountName, as name: PeerName) async throws(RequestError) -> any Resident

    /// Whether a password opens an account. One that nobody has claimed yet is claimed by it. Takes a tenth of a second and more.
    func opens(_ account: AccountName, password: TypedKey) async throws(RequestError) -> Bool

    /// Whether an account opens only by its password.
    func isClaimed(_ account: AccountName) async throws(RequestError) -> Bool

    /// Everything from now on that concerns no resident alone: peers, presences (of residents and of the node's owner, too), lines
    /// in every public room that the owner or a resident is in, news of the mesh. Bounded like `events`.
    func publicEvents() async -> NodeEvents
}

/// Somebody who is here through a node that is not theirs alone. What they ask for is done in their name: `me`, `say`, `join`, `tell`,
/// private rooms.
package protocol Resident: MeshNode {
    var id: PeerID { get }

    /// What concerns this person alone: private messages and what becomes of them, lines in private rooms they are in, notices about
    /// these. Bounded like `events`, which has this and what is public in their rooms. Letters that came while they were away are opened, and
    /// told as late, once somebody listens.
    func ownEvents() async -> NodeEvents

    /// They go; others are told. Nothing they ask for is done any more.
    func leave() async
}

/// Under what somebody comes in: 1–64 bytes of text without white space or control characters, told apart byte by byte.
package struct AccountName: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 64

    package let text: String

    /// - Returns: `nil` if it is not a token.
    package init?(_ text: String) {
        guard (1...Self.bytesMax).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.properties.generalCategory != .control })
        else { return nil }
        self.text = text
    }

    package var description: String { text }
}
