/// A count in a body. `JSONDecoder` does not report which number did not fit into an `Int`.
struct WholeNumber: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Double.self)
        guard let value = Int(exactly: number) else {
            throw DecodingError.typeMismatch(
                Int.self, .init(codingPath: decoder.codingPath, debugDescription: "no whole number"))
        }
        self.value = value
    }
}
