import LatticeAPI
import LatticeCore
import Testing

@testable import Lattice

@Suite struct PeerBoardTests {
    @Test func aNewRoundTripIsNoUpdateAndGoesWithTheLink() throws {
        let made: Lattice.PeerID? = Lattice.PeerID(String(repeating: "1", count: 64))
        let id = try #require(made)
        var board = PeerBoard()
        board.measured(id.core, .milliseconds(3))
        #expect(board[id.core] == nil)
        board.connected(Peer(id.core, name: "ada"))
        let change = board.lastChange
        for milliseconds in [3, 4] {
            board.measured(id.core, .milliseconds(milliseconds))
            #expect(board[id.core]?.roundTrip == .milliseconds(milliseconds))
        }
        #expect(board.lastChange == change)
        let name = try PeerName("ada")
        board.note(PeerChange(id: id.core, name: name, state: .notConnected, reason: nil))
        #expect(board.lastChange == change + 1)
        board.note(PeerChange(id: id.core, name: name, state: .connected, reason: nil))
        #expect(board[id.core]?.state == .connected && board[id.core]?.roundTrip == nil)
    }
}
