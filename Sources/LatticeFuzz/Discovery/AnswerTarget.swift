import LatticeCore
import LatticeDiscovery
import LatticeDoctor

extension FuzzTarget {
    static let answer = FuzzTarget(
        "answer", "mDNS messages as the doctor hears them: names within their limits, sightings and questions bounded",
        inputBytesMax: 4_096
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        var collector = SightingCollector()
        var count = 0
        while !source.isEmpty, count < 100 {
            count += 1
            let length = Int(source.byte()) << 8 | Int(source.byte())
            guard let message = accepted({ try DNSMessage(parsing: source.bytes(length)) }) else { continue }
            try check(message)
            collector.heard(message, from: "10.0.0.\(count)", scope: "eth0", isOwn: false)
        }
        let found = collector.sightings { _, _ in false }
        try hold(found.count <= SightingCollector.instancesMax, "more are sighted than anybody reads of")
        try hold(found.allSatisfy { $0.addresses.count <= 4 && $0.versions.count <= 16 }, "one says too much")
        try hold((1...17).contains(collector.questions.count), "too much is asked, or nothing")
        try hold(collector.othersHeard <= count, "more were heard than spoke")
    }

    private static func check(_ message: DNSMessage) throws(BrokenProperty) {
        try hold(message.records.count <= DNSMessage.recordsMax, "more records than are read")
        for name in message.questions + message.records.map(\.name) {
            let isWhole = name.labels.allSatisfy { (1...63).contains($0.count) }
            try hold(isWhole && name.labels.reduce(1) { $0 + $1.count + 1 } <= 255, "a name beyond its limits")
        }
    }
}
