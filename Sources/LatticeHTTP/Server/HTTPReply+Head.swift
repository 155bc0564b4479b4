import HTTPTypes

extension HTTPReply {
    var head: HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in Self.common { fields[name] = value }
        fields[.contentType] = type
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
        switch body {
        case .bytes(let bytes): if status != 304, status != 204 { fields[.contentLength] = "\(bytes.count)" }
        case .file(let file): fields[.contentLength] = "\(file.bytes.count)"
        case .stream: break
        }
        if [400, 413, 417, 431].contains(status) { fields[.connection] = "close" }
        return HTTPResponse(status: .init(code: status), headerFields: fields)
    }

    /// A response must not be executed, framed, sniffed or read by other sites.
    private static let common: [(HTTPField.Name, String)] = {
        let fields = [
            ("content-security-policy", PageRoutes.policy), ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"), ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("permissions-policy", "geolocation=(self), camera=(), microphone=()"), ("cache-control", "no-store"),
        ]
        return fields.compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
    }()
}
