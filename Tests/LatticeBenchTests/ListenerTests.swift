import Testing

@testable import lattice_bench

@Suite struct ListenerTests {
    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"message","params":{"text":"@123@xxx"}}"# + "\n",
        ":p1!p1@7GQK2A.mesh PRIVMSG #load-0 :@123@xxx\r\n",
        "@time=2026-01-01T00:00:00.000Z;msgid=12@ :p1!p1@7.mesh PRIVMSG #load-0 :@123@xxx\r\n",
    ])
    func aLineTellsWhenItWasSaid(line: String) throws {
        let (near, far) = try SocketConnection.pair()
        let listener = Listener(far)
        try near.send(line)
        var delays: [Double] = []
        #expect(try #require(listener.read(into: &delays)) == (lines: 1, missed: 0))
        #expect(delays.count == 1)
    }

    @Test func otherLinesAreNotCountedAndLossIsTold() throws {
        let (near, far) = try SocketConnection.loopbackPair()
        let listener = Listener(far)
        try near.send(":p2!p2@7GQK2A.mesh JOIN #load-0\r\n" + #"{"params":{"missed":7}}"# + "\n")
        let late = listener.readAll()
        #expect(late.lines == 0 && late.missed == 7 && !late.isOver)
    }

    @Test func aCrowdIsSpreadEvenly() throws {
        let listeners = try (0..<7).map { _ in Listener(try SocketConnection.pair().0) }
        #expect((0..<3).map { ControlCrowd.count(of: listeners, in: $0, of: 3) } == [3, 2, 2])
    }
}
