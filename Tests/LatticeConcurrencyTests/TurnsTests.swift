import LatticeConcurrency
import Testing

@Suite struct TurnsTests {
    @Test func callersPassOneAtATimeInTheirOrder() async {
        let desk = Desk()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { await desk.visit(number) }
            }
        }
        #expect(await desk.came == desk.left)
        #expect(await desk.insideMax == 1)
        #expect(await desk.left.count == 100)
    }
}

private actor Desk {
    private(set) var came: [Int] = []
    private(set) var left: [Int] = []
    private(set) var insideMax = 0
    private var inside = 0
    private let turns = Turns()

    func visit(_ number: Int) async {
        came.append(number)
        await turns.take()
        defer { turns.end() }
        inside += 1
        insideMax = max(insideMax, inside)
        for _ in 0..<3 { await Task.yield() }
        inside -= 1
        left.append(number)
    }
}
