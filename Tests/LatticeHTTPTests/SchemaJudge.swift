import Foundation

/// Whether a value is as a schema says: what of JSON Schema 2020-12 the document uses, and not one word more.
struct SchemaJudge {
    let document: [String: Any]

    /// - Returns: one sentence for each thing that is not so.
    func faults(of value: Any, as schema: Any, at path: String = "$") -> [String] {
        guard let schema = schema as? [String: Any] else { return ["\(path): the schema is no object"] }
        if let reference = schema["$ref"] as? String {
            guard let named = resolve(reference) else { return ["\(path): there is no \(reference)"] }
            return faults(of: value, as: named, at: path)
        }
        if let choices = schema["oneOf"] as? [Any] {
            let fitting = choices.count { self.faults(of: value, as: $0, at: path).isEmpty }
            return fitting == 1 ? [] : ["\(path): \(fitting) of \(choices.count) choices fit"]
        }
        let known: Set = [
            "type", "properties", "required", "additionalProperties", "items", "enum", "pattern", "format", "minimum",
            "maximum",
        ]
        var faults = schema.keys.filter { !known.contains($0) }.map { "\(path): what is \($0)?" }
        if let choices = schema["enum"] as? [String], let text = value as? String, !choices.contains(text) {
            faults.append("\(path): \(text) is none of \(choices)")
        }
        switch schema["type"] as? String {
        case "object": faults += objectFaults(value, schema, path)
        case "array": faults += listFaults(value, schema, path)
        case "string": faults += textFaults(value, schema, path)
        case "integer", "number": faults += numberFaults(value, schema, path)
        case "boolean": if !isFlag(value) { faults.append("\(path): no boolean") }
        case "null": if !(value is NSNull) { faults.append("\(path): not null") }
        case let type: faults.append("\(path): what is \(type ?? "nothing")?")
        }
        return faults
    }

    private func resolve(_ reference: String) -> Any? {
        reference.split(separator: "/").dropFirst().reduce(document as Any?) { ($0 as? [String: Any])?[String($1)] }
    }

    private func objectFaults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        guard let object = value as? [String: Any] else { return ["\(path): no object"] }
        guard let properties = schema["properties"] as? [String: Any] else { return [] }
        var faults = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map {
            "\(path).\($0) is missing"
        }
        for (name, member) in object {
            if let property = properties[name] {
                faults += self.faults(of: member, as: property, at: "\(path).\(name)")
            } else if schema["additionalProperties"] as? Bool == false {
                faults.append("\(path).\(name) is not in the schema")
            }
        }
        return faults
    }

    private func listFaults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        guard let list = value as? [Any], let items = schema["items"] else { return ["\(path): no list"] }
        return list.enumerated().flatMap { faults(of: $1, as: items, at: "\(path)[\($0)]") }
    }

    private func textFaults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        guard let text = value as? String else { return ["\(path): no text"] }
        if let pattern = schema["pattern"] as? String, text.range(of: pattern, options: .regularExpression) == nil {
            return ["\(path): \(text) does not fit \(pattern)"]
        }
        let date = #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"#
        if schema["format"] as? String == "date-time", text.range(of: date, options: .regularExpression) == nil {
            return ["\(path): \(text) is no date"]
        }
        return []
    }

    private func numberFaults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        guard let number = value as? NSNumber, !isFlag(value) else { return ["\(path): no number"] }
        let double = number.doubleValue
        if schema["type"] as? String == "integer", double.rounded() != double { return ["\(path): no whole number"] }
        if let least = schema["minimum"] as? NSNumber, double < least.doubleValue { return ["\(path): too small"] }
        if let most = schema["maximum"] as? NSNumber, double > most.doubleValue { return ["\(path): too large"] }
        return []
    }

    private func isFlag(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return value is Bool }
        return String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
    }
}
