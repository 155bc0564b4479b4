import ArgumentParser
import LatticeCore
import LatticeHost
import LatticeSettings

/// `lattice run --http …`
struct HTTPOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the page and the API here; other machines need the token.",
            valueName: "host:port"),
        transform: Arguments.listenAddress)
    var http: PeerAddress?

    @OptionGroup var map: BaseMapOptions

    /// `nil` if there is no HTTP front.
    var front: HTTPFront? {
        (http ?? Settings.current.value(.httpListen, Arguments.listenAddress)).map {
            HTTPFront(address: $0, map: map.path)
        }
    }
}

struct BaseMapOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A base map: an MBTiles file.", valueName: "file"))
    var basemap: String?

    var path: String? { basemap ?? Settings.current.text(.httpBasemap) }
}
