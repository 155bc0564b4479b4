import LatticeCore
import Testing

@testable import LatticeDiscovery

@Suite("What the interfaces allow")
struct NetworkJudgementTests {
    private let loopback = NetworkInterface(
        name: "lo", index: 1, isUp: true, isLoopback: true, carriesMulticast: false,
        addresses: [InterfaceAddress(family: .v4, text: "127.0.0.1")])

    private func interface(_ name: String, up: Bool = true, multicast: Bool = true, addresses: Int = 1)
        -> NetworkInterface
    {
        NetworkInterface(
            name: name, index: 2, isUp: up, isLoopback: false, carriesMulticast: multicast,
            addresses: (0..<addresses).map { InterfaceAddress(family: .v4, text: "10.0.0.\($0)") })
    }

    @Test func oneGoodInterfaceIsEnough() {
        let all = [loopback, interface("eth0", up: false), interface("tun0", multicast: false), interface("wlan0")]
        #expect(NetworkJudgement.trouble(all, wanted: nil) == nil)
    }

    @Test func loopbackAloneIsNoNetwork() {
        #expect(NetworkJudgement.trouble([loopback], wanted: nil) == .noInterface)
        #expect(NetworkJudgement.trouble([], wanted: nil) == .noInterface)
        #expect(NetworkJudgement.trouble([loopback, interface("eth0", up: false)], wanted: nil) == .noInterface)
        #expect(NetworkJudgement.trouble([loopback, interface("eth0", addresses: 0)], wanted: nil) == .noInterface)
    }

    @Test func interfacesWithoutMulticastAreNamed() {
        let all = [interface("tun0", multicast: false), interface("wg0", multicast: false)]
        #expect(NetworkJudgement.trouble(all, wanted: nil) == .noMulticast("tun0, wg0"))
        #expect(NetworkJudgement.trouble(all, wanted: "wg0") == .noMulticast("wg0"))
    }

    @Test func theWantedInterfaceMustBeThereAndUp() {
        #expect(NetworkJudgement.trouble([loopback], wanted: "wlan9") == .interfaceMissing("wlan9"))
        #expect(NetworkJudgement.trouble([interface("eth0", up: false)], wanted: "eth0") == .interfaceMissing("eth0"))
        #expect(NetworkJudgement.trouble([loopback], wanted: "lo") == nil)
    }

    @Test func addressesOfUsableInterfacesArePublishedWithinLimits() {
        let all = [loopback, interface("eth0", addresses: 20), interface("down0", up: false)]
        let published = NetworkJudgement.published(all, wanted: nil)
        #expect(published.filter { $0.interface == 1 }.map(\.address.text) == ["127.0.0.1"])
        #expect(published.count == 1 + NetworkJudgement.publishedPerInterfaceMax)
        #expect(NetworkJudgement.published(all, wanted: "lo").map(\.address.text) == ["127.0.0.1"])
        #expect(NetworkJudgement.published(all, wanted: "down0") == [])
    }

    @Test func theKernelKnowsLoopback() {
        let lo = InterfaceReader.read().first { $0.name == "lo" }
        #expect(lo?.isLoopback == true)
        #expect(lo?.index == 1)
    }

    @Test func addressesAreWrittenForDialling() {
        #expect(AddressText.host([192, 168, 1, 7], interface: 1) == "192.168.1.7")
        let linkLocal: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        #expect(AddressText.host(linkLocal, interface: 1) == "fe80::1%lo")
        #expect(AddressText.host(linkLocal, interface: .max) == nil)
        #expect(
            AddressText.host([0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 12), interface: 1) == "2001:db8::")
        for count in [0, 1, 3, 5, 15, 17, 255] {
            #expect(AddressText.host([UInt8](repeating: 1, count: count), interface: 1) == nil)
        }
    }
}
