/// Rules for names and labels (Prometheus, "Data model" and "Metric and label naming").
enum MetricName {
    /// The limit of a label's value.
    static let valueBytesMax = 128

    /// - Parameter suffix: the required ending for this kind.
    static func fitting(_ label: String, suffix: String = "") -> String {
        let name = words(label, isAllowed: { $0 == UInt8(ascii: ":") })
        return name.hasSuffix(suffix) ? name : name + suffix
    }

    static func labels(_ dimensions: [(String, String)]) -> [MetricFamily.Label] {
        var labels: [MetricFamily.Label] = []
        for (key, value) in dimensions {
            var name = words(key, isAllowed: { _ in false })
            // Reserved for histograms.
            if name == "le" { name = "le_" }
            guard !labels.contains(where: { $0.name == name }) else { continue }
            labels.append(MetricFamily.Label(name, cut(value)))
        }
        return labels.sorted()
    }

    private static func words(_ text: String, isAllowed: (UInt8) -> Bool) -> String {
        var bytes = text.utf8.map { isWord($0) || isAllowed($0) ? $0 : UInt8(ascii: "_") }
        if bytes.first.map(isDigit) ?? true { bytes.insert(UInt8(ascii: "_"), at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Cuts between characters.
    private static func cut(_ value: String) -> String {
        guard value.utf8.count > valueBytesMax else { return value }
        var rest = value.prefix(valueBytesMax)
        while rest.utf8.count > valueBytesMax { rest.removeLast() }
        return String(rest)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
