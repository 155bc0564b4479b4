/// Samples of the processes during a run.
struct EnduranceWatch {
    /// In kilobytes, for each peer that stays.
    private(set) var memory: [EnduranceSeries]
    /// Processor time in seconds, for the same peers.
    private(set) var processor: [EnduranceSeries]
    /// In kilobytes, for the same peers.
    private(set) var store: [EnduranceSeries]
    /// Wall time divided by processor time of a busy thread on this machine.
    private(set) var contention: EnduranceSeries
    private(set) var lastMemory: [Int]
    private(set) var lastDescriptors: [Int]
    private(set) var descriptorsMax = 0
    private(set) var threadsMax = 0
    private(set) var storeMax = (file: 0, log: 0)

    init(duration: Double, peers: Int) {
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

    /// Processor time in a quarter of the run, of all peers that stay, in seconds.
    func processorSeconds(inQuarter quarter: Int) -> Double {
        processor.map { series in
            let values = series.quarter(quarter)
            return (values.last ?? 0) - (values.first ?? 0)
        }.reduce(0, +)
    }
}
