import LatticeAPI

enum CrossingHandlers {
    static func register(in table: inout HandlerTable) {
        table.onDesk(ShowCrossing.self, .personas) { desk, _, now throws(RequestError) in
            try await CrossingDesk(desk: desk).show(at: now)
        }
        table.onDesk(SetCrossing.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await CrossingDesk(desk: desk).set(request, at: now)
        }
    }
}
