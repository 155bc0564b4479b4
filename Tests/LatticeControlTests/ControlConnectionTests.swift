import LatticeAPI
import Testing

@testable import LatticeControl

/// How connections begin and end.
@Suite struct ControlConnectionTests {
    /// `printf … | nc -N -U`: all of it is there, and the end too, before anybody takes the connection.
    @Test func whoSaysAllAndEndsAtOnceIsAnswered() async throws {
        try await Served().run { served in
            for number in 0..<50 {
                let socket = try RawSocket(served.path)
                socket.send(##"{"id":\##(number),"method":"sync"}"## + "\n" + ##"{"id":"b","method":"sync"}"## + "\n")
                socket.end()
                #expect(try await socket.line() == ##"{"id":\##(number),"jsonrpc":"2.0","result":{"done":{}}}"##)
                #expect(try await socket.line() == ##"{"id":"b","jsonrpc":"2.0","result":{"done":{}}}"##)
                await #expect(throws: RawSocket.Ended.self) { try await socket.line() }
            }
        }
    }

    /// What waits for something is waited for.
    @Test func theConnectionEndsWhenAllIsAnswered() async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(##"{"id":1,"method":"flush","params":{"timeout":3600}}"## + "\n")
            socket.end()
            while await served.node.requests.isEmpty { await Task.yield() }
            await served.node.letGo()
            #expect(try await socket.line() == ##"{"id":1,"jsonrpc":"2.0","result":{"flushed":{"unconfirmed":2}}}"##)
            await #expect(throws: RawSocket.Ended.self) { try await socket.line() }
        }
    }

    /// No event comes meanwhile whose writing could fail.
    @Test func whoHasGoneIsForgotten() async throws {
        try await Served().run { served in
            for endsFirst in [true, false] {
                do {
                    let socket = try RawSocket(served.path)
                    socket.send(##"{"id":1,"method":"subscribe"}"## + "\n")
                    _ = try await socket.line()
                    if endsFirst { socket.end() }
                    _ = consume socket
                }
                await served.idle()
            }
        }
    }

    @Test func beyondTheLimitOneIsToldSo() async throws {
        try await Served().run { served in
            var sockets: [RawSocket] = []
            for _ in 0..<ControlLimit.clientsMax {
                let socket = try RawSocket(served.path)
                socket.send(##"{"id":1,"method":"sync"}"## + "\n")
                _ = try await socket.line()
                sockets.append(socket)
            }
            let late = try RawSocket(served.path)
            #expect(try await late.line().contains(##""code":"busy""##))
            await #expect(throws: RawSocket.Ended.self) { try await late.line() }
            try await served.attached { client in
                let error = await #expect(throws: RequestError.self) { _ = try await client.hello() }
                #expect(error?.code == .busy)
            }
            // It reads late: the client that came after it was refused already.
            let sleeper = try await ControlClient.connected(to: served.path)
            #expect(try await RawSocket(served.path).line().contains(##""code":"busy""##))
            try await served.attached(sleeper) { client in
                let error = await #expect(throws: RequestError.self) { _ = try await client.hello() }
                #expect(error?.code == .busy)
            }
            sockets.removeLast()
            // It takes a moment until it is seen to be gone.
            while true {
                let next = try RawSocket(served.path)
                next.send(##"{"id":1,"method":"sync"}"## + "\n")
                if try await next.line().contains("done") { break }
            }
        }
    }

    @Test(arguments: [
        "1.5", "1000000000000000000", "-1000000000000000000", "12345678901234567890", "[1]",
        #""\#(String(repeating: "x", count: 65))""#,
    ])
    func anIDThatIsNoneIsRefusedInPlainWords(id: String) async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(##"{"id":\##(id),"method":"sync"}"## + "\n\r\n \n" + ##"{"id":-9,"method":"sync"}"## + "\n")
            let line = try await socket.line()
            let words = "'id': an id is a whole number of at most 18 digits, or a text of at most 64 bytes"
            #expect(line.contains("-32600") && line.contains(words))
            #expect(try await socket.line() == ##"{"id":-9,"jsonrpc":"2.0","result":{"done":{}}}"##)
        }
    }

    @Test(arguments: [
        ##""history","params":{"room":"#park","limit":1.5}"##,
        ##""history","params":{"room":"#park","limit":123456789012345678901234567890}"##,
        ##""posts.timeline","params":{"limit":1e400}"##,
        ##""flush","params":{"timeout":[]}"##,
    ]) func numbersThatDoNotFitAreToldWithoutSwiftsTypes(call: String) async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(##"{"id":1,"method":\##(call)}"## + "\n")
            let line = try await socket.line()
            #expect(line.contains("-32602") || line.contains("-32700"), "\(line)")
            for word in ["Swift", "Int", "Double", "Parsed"] { #expect(!line.contains(word), "\(line)") }
        }
    }
}
