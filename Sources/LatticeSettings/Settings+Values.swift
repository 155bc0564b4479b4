import LatticeCore
import LatticeNode

/// What is settled, as the values that options have.
extension Settings {
    func number(_ key: SettingKey) -> Int? {
        value(key) { text in
            guard let number = Int(text) else { preconditionFailure("\(key.rawValue) was checked to be a number") }
            return number
        }
    }

    var peers: [PeerAddress] { values(.peer, Arguments.address) ?? [] }
    var rooms: [RoomName] { values(.room, Arguments.roomName) ?? [] }

    /// `nil` where neither is settled.
    var rates: SpeechRates? {
        let (origin, link) = (number(.ratesAuthor), number(.ratesLink))
        guard origin != nil || link != nil else { return nil }
        let usual = SpeechRates.usual
        return SpeechRates(origin: origin.map(Int64.init) ?? usual.origin, link: link.map(Int64.init) ?? usual.link)
    }
}

/// The mesh that is meant.
enum SettledMesh {
    /// - Parameter option: what `--mesh` says.
    static func name(_ option: MeshName?) throws -> MeshName {
        try option ?? Settings.current.value(.mesh, Arguments.meshName) ?? MeshName("lattice")
    }
}
