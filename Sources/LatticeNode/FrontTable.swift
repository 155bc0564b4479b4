import LatticeAPI

struct FrontTable {
    private var readers: [NodeEvents.Input] = []

    mutating func add() -> NodeEvents {
        let (stream, input) = NodeEvents.makeStream()
        readers.append(input)
        return stream
    }

    mutating func tell(_ event: NodeEvent) {
        var isAnyGone = false
        for reader in readers where !reader.yield(event) { isAnyGone = true }
        if isAnyGone { readers.removeAll(where: \.isGone) }
    }

    func finish() {
        for reader in readers { reader.finish() }
    }
}
