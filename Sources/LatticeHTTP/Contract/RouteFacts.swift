import LatticeCore

/// The description of a route in the OpenAPI document.
struct RouteFacts: Sendable {
    struct Parameter: Sendable {
        let name: String
        let schema: JSON
        let about: String
        var isRequired = false
    }

    struct Answer: Sendable {
        let status: Int
        let about: String
        /// By media type; `nil` if there is no body.
        let schemas: [(type: String, schema: JSON)]
    }

    /// Stable, for clients generated from the document.
    let name: String
    let summary: String
    var parameters: [Parameter] = []
    var body: JSON?
    var answers: [Answer]
    /// Whether it is in the document; the files of the page are not.
    var isTold = true

    static func file(_ name: String, _ summary: String) -> RouteFacts {
        RouteFacts(name: name, summary: summary, answers: [], isTold: false)
    }

    /// A route that responds with JSON.
    init(
        _ name: String, _ summary: String, parameters: [Parameter] = [], body: JSON? = nil, status: Int = 200,
        _ answer: JSON, besides: [String: JSON] = [:]
    ) {
        let others = besides.sorted { $0.key < $1.key }.map { (type: $0.key, schema: $0.value) }
        self.init(
            name: name, summary: summary, parameters: parameters, body: body,
            answers: [
                Answer(status: status, about: summary, schemas: [(type: "application/json", schema: answer)] + others)
            ])
    }

    init(
        name: String, summary: String, parameters: [Parameter] = [], body: JSON? = nil, answers: [Answer],
        isTold: Bool = true
    ) {
        (self.name, self.summary, self.parameters, self.body) = (name, summary, parameters, body)
        (self.answers, self.isTold) = (answers, isTold)
    }
}

/// JSON schemas for OpenAPI 3.1 (JSON Schema 2020-12).
enum JSONSchema {
    static let text: JSON = ["type": "string"]
    static let integer: JSON = ["type": "integer"]
    static let number: JSON = ["type": "number"]
    static let flag: JSON = ["type": "boolean"]
    static let date: JSON = ["type": "string", "format": "date-time"]
    static let id: JSON = ["type": "string", "pattern": "^[0-9a-f]{64}$"]
    static let colour: JSON = ["type": "string", "pattern": "^#[0-9a-f]{6}$"]

    static func one(of words: String...) -> JSON { one(of: words) }

    static func one(of words: [String]) -> JSON {
        ["type": "string", "enum": .list(words.map { .text($0) })]
    }

    static func list(_ schema: JSON) -> JSON { ["type": "array", "items": schema] }

    static func number(_ range: ClosedRange<Double>) -> JSON {
        ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
    }

    static func number(_ range: PartialRangeFrom<Double>) -> JSON {
        ["type": "number", "minimum": .number(range.lowerBound)]
    }

    static func integer(_ range: ClosedRange<Int>) -> JSON {
        ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }

    /// - Parameter members: a name that ends in `?` is optional. Other members are not allowed.
    static func object(_ members: (String, JSON)...) -> JSON { object(members) }

    static func object(_ members: [(String, JSON)]) -> JSON {
        let required = members.filter { !$0.0.hasSuffix("?") }.map { JSON.text($0.0) }
        let properties = members.map { name, schema in (name.hasSuffix("?") ? String(name.dropLast()) : name, schema) }
        return [
            "type": "object", "properties": .object(properties), "required": required.isEmpty ? nil : .list(required),
            "additionalProperties": false,
        ]
    }

    static func named(_ name: String) -> JSON { ["$ref": .text("#/components/schemas/\(name)")] }
}
