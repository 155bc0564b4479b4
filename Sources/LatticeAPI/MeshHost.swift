package import LatticeCore

/// A node that several people use, each with keys of their own.
package protocol MeshHost: MeshNode {
    /// Admits somebody: others see them as they see any peer. The same account is always the same person with the same keys.
    ///
    /// - Throws: `busy` if that account is in already, `tooManyPeople` if the node is full.
    func admit(_ account: AccountName, as name: PeerName) async throws(RequestError) -> any Visitor

    /// Whether a password opens an account. The first password claims an unclaimed account. Takes a tenth of a second or more.
    func opens(_ account: AccountName, password: TypedKey) async throws(RequestError) -> Bool

    /// The key of an account's persona as a key file under a passphrase, for another lattice. Takes a tenth of a second or
    /// more.
    func keyFile(of account: AccountName, under passphrase: TypedKey) async throws(RequestError) -> [UInt8]

    /// From now on the persona of a new account has the key of this file. Takes a tenth of a second or more.
    ///
    /// - Returns: whose key it is.
    /// - Throws: `badKeyFile`
    func bring(
        _ keyFile: [UInt8], under passphrase: TypedKey, as account: AccountName
    ) async throws(RequestError) -> PeerID

    /// Moves a key that was brought from a new account to the account that this person has already.
    func moveKey(of account: AccountName, to known: AccountName) async throws(RequestError)

    /// Forgets the brought keys of all accounts but these.
    func forgetKeys(unless isKept: @Sendable (AccountName) -> Bool) async throws(RequestError)

    /// Whether an account needs its password.
    func isClaimed(_ account: AccountName) async throws(RequestError) -> Bool

    /// Events from now on that do not concern one persona alone: peers, presences (those of personas included), lines
    /// in every public room that a persona is in, news of the mesh. Bounded like `events`.
    func publicEvents() async -> NodeEvents
}

/// A persona of a shared node. Requests are done in their name: `me`, `say`, `join`, `tell`,
/// private rooms.
package protocol Visitor: MeshNode {
    var id: PeerID { get }

    /// Events for this person alone: their marks on people, at once and after each change; private messages and their
    /// progress, lines in their private rooms, notices about these.
    /// Bounded like `events`, which also has the public events of their rooms. Private messages that came while they were away
    /// are opened once somebody listens, and delivered as late.
    func ownEvents() async -> NodeEvents

    /// They leave, which others see. None of their requests is carried out afterwards.
    func leave() async
}

/// The name of an account: 1–64 bytes of text without white space or control characters, compared byte by byte.
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
