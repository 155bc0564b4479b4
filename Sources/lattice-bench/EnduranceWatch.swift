/// What was seen of the processes during a run.
struct EnduranceWatch {
    let duration: Double
    /// Kilobytes, of those who stay.
    private(set) var memory: [EnduranceSeries]
    /// Seconds of processor time, of the same.
    private(set) var processor: [EnduranceSeries]
    /// Kilobytes, of the same.
    private(set) var store: [EnduranceSeries]
    /// How many times the time that it works does one who works take here.
    private(set) var contention: EnduranceSeries
    private(set) var lastMemory: [Int]
    private(set) var lastDescriptors: [Int]
    private(set) var descriptorsMax = 0
    private(set) var threadsMax = 0
    /// Of whoever's were largest.
    private(set) var storeMax = (file: 0, log: 0)

    init(duration: Double, peers: Int) {
        self.duration = duration
        memory = [EnduranceSeries](repeating: EnduranceSeries(duration: duration), count: peers)
        (processor, store) = (memory, memory)
        contention = EnduranceSeries(duration: duration)
        lastMemory = [Int](repeating: 0, count: peers)
        lastDescriptors = lastMemory
    }

    mutating func look(at cost: ProcessCost, _ peer: Int, _ store: StoreSize, at now: Double) throws {
        storeMax = (max(storeMax.file, store.file), max(storeMax.log, store.log))
        let descriptors = cost.descriptorCount() ?? 0
        descriptorsMax = max(descriptorsMax, descriptors)
        threadsMax = max(threadsMax, cost.threads())
        guard memory.indices.contains(peer) else { return }
        let resident = try cost.memory().resident
        memory[peer].add(Double(resident), at: now)
        processor[peer].add(cost.processorSeconds(), at: now)
        self.store[peer].add(Double(store.file), at: now)
        lastMemory[peer] = resident
        lastDescriptors[peer] = descriptors
    }

    /// Works for a few milliseconds.
    mutating func lookAtMachine(at now: Double) {
        let (start, worked) = (seconds(), lattice_bench.processorSeconds())
        while lattice_bench.processorSeconds() - worked < 0.005 {}
        contention.add((seconds() - start) / 0.005, at: now)
    }

    /// Seconds of processor time in a quarter of the run, of all who stay.
    func processorSeconds(inQuarter quarter: Int) -> Double {
        processor.map { series in
            let values = series.quarter(quarter)
            return (values.last ?? 0) - (values.first ?? 0)
        }.reduce(0, +)
    }
}
