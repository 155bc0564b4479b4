import Glibc
import Testing

@testable import LatticeHost

/// With a signal that ends no program, since other tests run in this one.
@Suite(.timeLimit(.minutes(1))) struct ProgramSignalTests {
    private let urgent = ProgramSignal(number: SIGURG)

    @Test func aSignalIsCaughtAsSoonAsTheStreamIsThere() async {
        let signals = await ProgramSignal.caught(urgent)
        kill(getpid(), SIGURG)
        for await signal in signals {
            #expect(signal == urgent)
            break
        }
    }

    @Test func whoCatchesAfterwardsCatchesToo() async {
        for _ in 0..<2 {
            var signals = await ProgramSignal.caught(urgent).makeAsyncIterator()
            kill(getpid(), SIGURG)
            #expect(await signals.next() == urgent)
        }
    }
}
