import LatticeCore
import Testing

@testable import LatticeDiscovery

@Suite("The name we announce, and the next one")
struct InstanceNameTests {
    @Test func aTakenNameIsCountedThenProved() throws {
        var name = InstanceName(try advertisement("alice", peer: 0x3F9A_0000_0000_0001))
        var labels: [String] = []
        for _ in 0..<8 {
            labels.append(name.label)
            name.clashed()
        }
        #expect(
            labels == [
                "alice", "alice #2", "alice #3", "alice (3f9a)", "alice (3f9a0000)", "alice (3f9a00000000)",
                "alice (3f9a000000000001)", "alice (3f9a000000000001-7)",
            ])
    }

    @Test(arguments: ["é", "👩‍👩‍👧‍👦", "x"])
    func everyLabelFitsAndIsWhole(character: String) throws {
        let text = String(repeating: character, count: PeerName.bytesMax / character.utf8.count)
        var name = InstanceName(try advertisement(text, peer: .max))
        for _ in 0..<40 {
            #expect(ServiceInstance(interface: 1, label: Array(name.label.utf8)) != nil)
            name.clashed()
            #expect(name.label.prefix { $0 != " " }.allSatisfy { String($0) == character })
        }
    }

    @Test func afterFifteenClashesItSlowsDown() throws {
        var name = InstanceName(try advertisement("alice", peer: 1))
        for _ in 0..<15 { name.clashed() }
        #expect(name.delay == .zero)
        name.clashed()
        #expect(name.delay == .seconds(5))
    }

    @Test func labelsThatNoNameCanHoldAreRefused() {
        #expect(ServiceInstance(interface: 1, label: []) == nil)
        #expect(ServiceInstance(interface: 1, label: [0x61, 0]) == nil)
        #expect(ServiceInstance(interface: 1, label: [UInt8](repeating: 0xFF, count: 63))?.name.isEmpty == false)
        #expect(ServiceInstance(interface: 1, label: [UInt8](repeating: 0x61, count: 64)) == nil)
    }
}
