import ArgumentParser
import LatticeCore
import LatticeHost
import LatticeSettings

/// `--metrics HOST:PORT`
struct MetricsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve Prometheus metrics here, at /metrics; port 0 picks a free one.",
            valueName: "host:port"),
        transform: Arguments.listenAddress)
    var metrics: PeerAddress?

    /// As it was said here: what is settled once is for what runs all the time, since others of this machine would find the port taken.
    var said: MetricsFront? { metrics.map { MetricsFront(address: $0, name: "--metrics") } }

    /// Or as it was settled; `nil` if nobody is to be told.
    var settled: MetricsFront? {
        let settings = Settings.current
        return said
            ?? settings.value(.metrics, Arguments.listenAddress).map {
                MetricsFront(address: $0, name: settings.called(.metrics))
            }
    }
}
