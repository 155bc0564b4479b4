package import LatticeCore
package import LatticeNode

extension Settings {
    package func number(_ key: SettingKey) -> Int? {
        value(key) { text in
            guard let number = Int(text) else { preconditionFailure("\(key.rawValue) was checked to be a number") }
            return number
        }
    }

    package var peers: [PeerAddress] { values(.peer, Arguments.address) ?? [] }
    package var rooms: [RoomName] { values(.room, Arguments.roomName) ?? [] }

    package var info: [String] { values(.info, Arguments.info) ?? [] }

    /// Whether photos of others are fetched before anybody looks at them.
    package var fetchesPhotos: Bool { value(.pictures) { $0 } != PicturePolicy.ask.rawValue }

    /// `nil` if neither is set.
    package var rates: SpeechRates? {
        let (origin, link) = (number(.ratesAuthor), number(.ratesLink))
        guard origin != nil || link != nil else { return nil }
        let usual = SpeechRates.usual
        return SpeechRates(origin: origin.map(Int64.init) ?? usual.origin, link: link.map(Int64.init) ?? usual.link)
    }
}

package enum SettledMesh {
    /// - Parameter option: the value of `--mesh`.
    package static func name(_ option: MeshName?) throws -> MeshName {
        try option ?? Settings.current.value(.mesh, Arguments.meshName) ?? MeshName("lattice")
    }
}
