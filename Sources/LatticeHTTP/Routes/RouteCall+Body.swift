import FoundationEssentials
import LatticeAPI
import LatticeCore

extension RouteCall {
    /// The body, as JSON with names in snake case.
    ///
    /// - Parameter removable: fields that a change may remove with `null`.
    func body<Value: Decodable>(
        _ type: Value.Type, removable: Set<String> = []
    ) throws(HTTPProblem) -> Value {
        let kind = call.headers["content-type"]?.prefix { $0 != ";" }.lowercased() ?? ""
        guard kind == "application/json" || kind.hasSuffix("+json") else {
            throw HTTPProblem(415, "wrongType", "Send JSON with the header Content-Type: application/json.")
        }
        do {
            let decoder = JSONDecoder()
            let names = try decoder.decode(BodyNames.self, from: Data(call.body))
            if let fault = names.fault(fields, isChange: call.method == .patch, removable: removable) {
                throw HTTPProblem.invalid(fault)
            }
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(type, from: Data(call.body))
        } catch let problem as HTTPProblem {
            throw problem
        } catch DecodingError.typeMismatch(let type, let context) {
            throw Self.misfit(context.codingPath, "must be \(Self.word(of: type))")
        } catch DecodingError.valueNotFound(_, let context) {
            throw Self.misfit(context.codingPath, "must not be null")
        } catch DecodingError.keyNotFound(let key, let context) {
            throw Self.misfit(context.codingPath + [key], "is missing")
        } catch {
            throw HTTPProblem(400, "badRequest", "The body is not valid JSON.")
        }
    }

    private static func word(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Double.Type: "a number"
        case is Int.Type: "a whole number"
        default: "an object"
        }
    }

    private static func misfit(_ path: [any CodingKey], _ what: String) -> HTTPProblem {
        let field = path.map { key in
            key.stringValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
        }.joined(separator: ".")
        return .invalid(
            HTTPProblem.Fault(field.isEmpty ? "body" : field, "\(field.isEmpty ? "the body" : field) \(what)"))
    }
}

private struct BodyNames: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var names: [String] = []
    private var empty: Set<String> = []

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        for name in members.allKeys {
            names.append(name.stringValue)
            if try members.decodeNil(forKey: name) { empty.insert(name.stringValue) }
        }
    }

    /// - Parameters:
    ///   - fields: the allowed fields; `nil` if others are skipped.
    ///   - isChange: whether absent fields stay unchanged.
    func fault(_ fields: [String]?, isChange: Bool, removable: Set<String>) -> HTTPProblem.Fault? {
        for name in names.sorted() {
            if let fields, !fields.contains(name) {
                let known = fields.joined(separator: ", ")
                let shown = DisplayText.safe(String(name.prefix(40)))
                return HTTPProblem.Fault(shown, "\(shown) is not a known field; use \(known)")
            }
            if isChange, empty.contains(name), !removable.contains(name) {
                return HTTPProblem.Fault(name, "\(name) cannot be null; leave it out to keep it as it is")
            }
        }
        return nil
    }
}
