import Testing

/// Each kind of request has a name of its own and one handler.
@Suite struct RequestHandlersTests {
    private struct Found {
        var types: [String] = []
        var names: [String] = []
        var handled: [String] = []
    }

    private static func found(in files: [SourceFile]) -> Found {
        var found = Found()
        for file in files {
            let isAPI = file.module == "LatticeAPI"
            // Names are text of literals, which `code` leaves out.
            for (line, code) in zip(file.lines, file.code) {
                if isAPI, let type = code.firstMatch(of: /^package struct (\w+): \w*(Request|StreamTransfer)\b/) {
                    found.types.append(String(type.1))
                }
                if isAPI, let name = line.firstMatch(of: /^    package static let name = "([\w.]+)"$/) {
                    found.names.append(String(name.1))
                }
            }
            if file.module == "LatticeNode" {
                // The type may stand on the next line.
                let calls = file.code.joined(separator: "\n").matches(of: /\btable\.on\w*\(\s*(\w+)\.self/)
                found.handled += calls.map { String($0.1) }
            }
        }
        return found
    }

    private static func faults(in found: Found) -> [String] {
        var faults: [String] = []
        for type in Set(found.types).union(found.handled).sorted() {
            let count = found.handled.count { $0 == type }
            if count != 1 { faults.append("\(type) has \(count) handlers, and needs one") }
            if !found.types.contains(type) { faults.append("\(type) has a handler and is no request") }
        }
        for name in Set(found.names).sorted() where found.names.count(where: { $0 == name }) > 1 {
            faults.append("several requests are called \(name)")
        }
        if found.names.count != found.types.count {
            faults.append("\(found.types.count) requests have \(found.names.count) names")
        }
        return faults
    }

    @Test func eachRequestHasANameAndOneHandler() throws {
        let found = Self.found(in: try Checkout.sourceFiles())
        #expect(found.types.count > 60)
        expectNone(Self.faults(in: found))
    }

    // MARK: the check is checked

    private func faults(requests: String, handlers: String) -> [String] {
        Self.faults(
            in: Self.found(in: [
                SourceFile(path: "Sources/LatticeAPI/A.swift", text: requests),
                SourceFile(path: "Sources/LatticeNode/B.swift", text: handlers),
            ]))
    }

    private static let one = "package struct One: Request {\n    package static let name = \"one\"\n}\n"

    @Test func whatIsMissingOrTwiceIsSeen() {
        #expect(faults(requests: Self.one, handlers: "table.on(\n    One.self, owner: {})").isEmpty)
        #expect(faults(requests: Self.one, handlers: "") == ["One has 0 handlers, and needs one"])
        #expect(
            faults(requests: Self.one, handlers: "table.on(One.self) {}\ntable.on(One.self) {}")
                == ["One has 2 handlers, and needs one"])
        #expect(
            faults(requests: "", handlers: "table.on(One.self) {}") == ["One has a handler and is no request"])
        let two = Self.one + Self.one.replacing("One", with: "Two")
        #expect(
            faults(requests: two, handlers: "table.on(One.self) {}\ntable.on(Two.self) {}")
                == ["several requests are called one"])
        #expect(
            faults(requests: "package struct One: Request {\n}\n", handlers: "table.on(One.self) {}")
                == ["1 requests have 0 names"])
    }
}
