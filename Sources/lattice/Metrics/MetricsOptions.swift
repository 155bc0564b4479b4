import ArgumentParser
import LatticeCore
import LatticeHost
import LatticeSettings

struct MetricsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve Prometheus metrics here, at /metrics; port 0 picks a free one.",
            valueName: "host:port"),
        transform: Arguments.listenAddress)
    var metrics: PeerAddress?

    /// By option only. The setting is for the node that runs permanently; other processes would find the port in use.
    var said: MetricsFront? { metrics.map { MetricsFront(address: $0, name: "--metrics") } }

    /// By option or setting; `nil` disables the metrics.
    var settled: MetricsFront? {
        let settings = Settings.current
        return said
            ?? settings.value(.metrics, Arguments.listenAddress).map {
                MetricsFront(address: $0, name: settings.called(.metrics))
            }
    }
}
