/// Writes metrics in Prometheus' text format, version 0.0.4.
package enum Exposition {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package static func text(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) { write(family, into: &text) }
        return text
    }

    private static func write(_ family: MetricFamily, into text: inout String) {
        if !family.help.isEmpty { text += "# HELP \(family.name) \(escaped(family.help, isQuoted: false))\n" }
        text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
        for series in family.series {
            switch series.value {
            case .number(let number): text += line(family.name, series.labels, number)
            case .histogram(let histogram):
                let all = [(bound: "+Inf", count: histogram.count)]
                for bucket in histogram.buckets.map({ (bound: written($0.upTo), count: $0.count) }) + all {
                    text += line(
                        "\(family.name)_bucket", series.labels + [MetricFamily.Label("le", bucket.bound)],
                        Double(bucket.count))
                }
                text += line("\(family.name)_sum", series.labels, histogram.sum)
                text += line("\(family.name)_count", series.labels, Double(histogram.count))
            }
        }
    }

    private static func line(_ name: String, _ labels: [MetricFamily.Label], _ value: Double) -> String {
        let pairs = labels.map { "\($0.name)=\"\(escaped($0.value, isQuoted: true))\"" }
        let braces = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
        return "\(name)\(braces) \(written(value))\n"
    }

    /// Integers without a fraction if they are exact.
    package static func written(_ value: Double) -> String {
        switch value {
        case .infinity: "+Inf"
        case -.infinity: "-Inf"
        case _ where value.isNaN: "NaN"
        default: Int64(exactly: value).map { "\($0)" } ?? "\(value)"
        }
    }

    private static func escaped(_ text: String, isQuoted: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where isQuoted: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
