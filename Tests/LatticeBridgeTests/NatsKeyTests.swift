import LatticeNats
import Testing

struct NatsKeyTests {
    /// The example of the page about nkeys in NATS's documentation.
    @Test func itHasTheTextsOfTheDocumentation() {
        let seed: [UInt8] = [
            0x29, 0x49, 0x7b, 0xa0, 0x0f, 0x41, 0xdd, 0x45, 0x93, 0x6b, 0x4c, 0xc4, 0xbd, 0xa1, 0xde, 0xcb, 0x67, 0xc1,
            0x28, 0xe6, 0x9f, 0xb3, 0xd4, 0x90, 0xee, 0x82, 0x0d, 0xaf, 0x7c, 0x31, 0x8c, 0x0a,
        ]
        let key = NatsKey(seed: seed)
        #expect(key.seedText == "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY")
        #expect(key.publicText == "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4")
        #expect(NatsKey().publicText != NatsKey().publicText)
        #expect(NatsKey(seedText: "\n \(key.seedText)\n")?.publicText == key.publicText)
    }

    @Test(arguments: [
        "", "SU", "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4",
        "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VZ",
        "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3",
        "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3V1",
    ]) func whatIsNoSeedIsTold(text: String) {
        #expect(NatsKey(seedText: text) == nil)
    }
}
