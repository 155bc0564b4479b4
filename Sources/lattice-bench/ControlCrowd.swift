import Foundation

/// Programs and IRC users on one node, distributed evenly over rooms in turn.
struct ControlCrowd {
    let node: NodeProcess
    let rooms: [String]
    private(set) var programs: [Listener] = []
    private(set) var people: [Listener] = []

    init(_ node: NodeProcess, rooms: [String], _ programs: [Listener] = [], _ people: [Listener] = []) {
        self.node = node
        self.rooms = rooms
        (self.programs, self.people) = (programs, people)
    }

    func room(of number: Int) -> String { rooms[number % rooms.count] }

    mutating func subscribe(_ count: Int) throws {
        for number in 0..<count { programs.append(try subscribed(to: room(of: number))) }
    }

    mutating func enter(_ count: Int) throws {
        for number in 0..<count {
            people.append(try entered(room(of: number), as: "p\(number)", tags: number % 2 == 0))
        }
    }

    func subscribed(to room: String) throws -> Listener {
        let connection = try SocketConnection(node.socket)
        try connection.send(
            ##"{"id":1,"method":"subscribe","params":{"topics":["messages"],"rooms":["\##(room)"]}}"## + "\n")
        try connection.wait(for: "done")
        return Listener(connection)
    }

    /// - Parameter tags: whether it requests the time and id of each line, as modern clients do.
    func entered(_ room: String, as nick: String, tags: Bool, receiveBytesMax: Int32? = nil) throws -> Listener {
        guard let port = node.ircPort else { throw BenchError("the node lets nobody in by IRC") }
        let connection = try SocketConnection(port: port, receiveBytesMax: receiveBytesMax)
        if tags { try connection.send("CAP REQ :server-time message-tags\r\n") }
        try connection.send("NICK \(nick)\r\nUSER \(nick) 0 * :\(nick)\r\n" + (tags ? "CAP END\r\n" : ""))
        try connection.wait(for: " 001 ")
        try connection.send("JOIN \(room)\r\n")
        try connection.wait(for: " 366 ")
        return Listener(connection)
    }

    /// The number of listeners in a room.
    static func count(of listeners: [Listener], in room: Int, of rooms: Int) -> Int {
        (listeners.count + rooms - 1 - room) / rooms
    }

    /// Answers the PING that silent clients get; these clients never answer on their own.
    func showThatTheyAreThere() throws {
        for person in people { try person.connection.send("PONG :here\r\n") }
    }
}
