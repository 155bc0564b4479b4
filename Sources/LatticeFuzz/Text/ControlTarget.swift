import Foundation
import LatticeAPI
import LatticeControl

extension FuzzTarget {
    static let control = FuzzTarget(
        "control",
        "a line of the control socket is a request, or told as what it is; a request has a line that says the same",
        inputBytesMax: 2_000
    ) { bytes throws(BrokenProperty) in
        guard let read = request(in: bytes), case .success(.request(let request)) = read.method else { return }
        let line = accepted { try JSONEncoder().encode(ControlCall(id: 1, method: .request(request))) }
        guard let line else { throw BrokenProperty("\(request.call.name) has no line") }
        guard let again = Self.request(in: Array(line)), case .success(.request(let same)) = again.method else {
            throw BrokenProperty("the line of \(request.call.name) is not understood")
        }
        try hold(same == request, "the line of \(request.call.name) says something else")
    }

    private static func request(in bytes: [UInt8]) -> ControlRequest? {
        accepted { try JSONDecoder().decode(ControlRequest.self, from: Data(bytes)) }
    }
}
