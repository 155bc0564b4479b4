/// The measurements under one name, as plain values.
package struct MetricFamily: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        /// Only ever grows, until the process ends.
        case counter
        /// A current amount.
        case gauge
        /// Counts of measurements by upper bound.
        case histogram
    }

    package struct Label: Hashable, Comparable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }

        package static func < (left: Label, right: Label) -> Bool {
            (left.name, left.value) < (right.name, right.value)
        }
    }

    package struct Histogram: Hashable, Sendable, Codable {
        package struct Bucket: Hashable, Sendable, Codable {
            /// The inclusive upper bound of its measurements.
            package let upTo: Double
            /// Cumulative: includes the smaller buckets.
            package let count: Int

            package init(upTo: Double, count: Int) {
                (self.upTo, self.count) = (upTo, count)
            }
        }

        package let buckets: [Bucket]
        /// All measurements, including those above the last bucket.
        package let count: Int
        package let sum: Double

        package init(buckets: [Bucket], count: Int, sum: Double) {
            (self.buckets, self.count, self.sum) = (buckets, count, sum)
        }

        /// - Parameter share: more than 0, at most 1.
        /// - Returns: the bound of the first bucket whose cumulative count reaches this share; `nil` if none does, or
        ///   without measurements.
        package func bound(of share: Double) -> Double? {
            guard count > 0 else { return nil }
            return buckets.first { Double($0.count) >= share * Double(count) }?.upTo
        }
    }

    package enum Value: Hashable, Sendable {
        case number(Double)
        case histogram(Histogram)
    }

    package struct Series: Hashable, Sendable {
        /// Sorted by name.
        package let labels: [Label]
        package let value: Value

        package init(_ labels: [Label] = [], _ value: Value) {
            self.labels = labels.sorted()
            self.value = value
        }

        /// `nil` for a histogram.
        package var number: Double? { if case .number(let number) = value { number } else { nil } }

        package func label(_ name: String) -> String? { labels.first { $0.name == name }?.value }
    }

    package let name: String
    package let kind: Kind
    /// One sentence; empty without a description.
    package let help: String
    /// Sorted by labels.
    package let series: [Series]

    package init(_ name: String, _ kind: Kind, _ help: String, _ series: [Series]) {
        (self.name, self.kind, self.help) = (name, kind, help)
        self.series = series.sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
    }

    /// A family with one series without labels.
    package init(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.init(name, kind, help, [Series([], .number(value))])
    }
}

extension MetricFamily.Series: Codable {
    private enum Member: String, CodingKey {
        case labels, value, histogram
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        let labels = try members.decodeIfPresent([String: String].self, forKey: .labels) ?? [:]
        let histogram = try members.decodeIfPresent(MetricFamily.Histogram.self, forKey: .histogram)
        self.init(
            labels.map { MetricFamily.Label($0.key, $0.value) },
            try histogram.map(MetricFamily.Value.histogram) ?? .number(members.decode(Double.self, forKey: .value)))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        if !labels.isEmpty {
            try members.encode(
                Dictionary(labels.map { ($0.name, $0.value) }) { first, _ in first }, forKey: .labels)
        }
        switch value {
        case .number(let number): try members.encode(number, forKey: .value)
        case .histogram(let histogram): try members.encode(histogram, forKey: .histogram)
        }
    }
}

extension [MetricFamily] {
    package subscript(name: String) -> MetricFamily? { first { $0.name == name } }

    /// The value of one series; `nil` if no series has exactly these labels, or it is a histogram.
    package func number(_ name: String, _ labels: (String, String)...) -> Double? {
        let wanted = labels.map { MetricFamily.Label($0.0, $0.1) }.sorted()
        return self[name]?.series.first { $0.labels == wanted }?.number
    }
}
