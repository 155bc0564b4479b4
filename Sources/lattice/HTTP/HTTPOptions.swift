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
    @OptionGroup var visitors: VisitorOptions

    /// The HTTP front; `nil` if there is none.
    ///
    /// - Throws: `Failure` if visitors are let in without a page.
    func served() throws -> HTTPFront? {
        guard visitors.visitors, front == nil else { return front }
        throw Failure(.usage, "--visitors needs a page; add --http 0.0.0.0:8080, for example")
    }

    /// `nil` if there is no HTTP front.
    var front: HTTPFront? {
        (http ?? Settings.current.value(.httpListen, Arguments.listenAddress)).map {
            HTTPFront(address: $0, map: map.path, visitorsMax: visitors.countMax)
        }
    }
}

struct BaseMapOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A base map: an MBTiles file.", valueName: "file"))
    var basemap: String?

    var path: String? { basemap ?? Settings.current.text(.httpBasemap) }
}

struct VisitorOptions: ParsableArguments {
    @Flag(help: "Let people write from their browsers in their own names, without the token.")
    var visitors = false

    /// `nil` if only the owner writes.
    var countMax: Int? {
        let setting = Settings.current.number(.httpVisitors) ?? 0
        if setting > 0 { return setting }
        return visitors ? HTTPFront.visitorsUsual : nil
    }
}
