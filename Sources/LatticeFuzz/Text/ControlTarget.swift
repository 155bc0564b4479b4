import Foundation
import LatticeAPI
import LatticeControl
import LatticeNode

extension FuzzTarget {
    static let control = FuzzTarget(
        "control",
        "a line of the control socket is a request, or told as what it is; a request has a line that says the same",
        inputBytesMax: 2_000
    ) { bytes throws(BrokenProperty) in
        guard let read = request(in: bytes), case .success(let method) = read.method else { return }
        switch method {
        case .request(let request):
            let name = type(of: request).name
            guard case .request(let same) = try saidAgain(request), isSame(request, same) else {
                throw BrokenProperty("the line of \(name) says something else")
            }
        case .hello, .subscribe, .attach: return
        }
    }

    private static func saidAgain(_ wish: any Request) throws(BrokenProperty) -> ControlRequest.Method {
        let name = type(of: wish).name
        let line = accepted { try JSONEncoder().encode(ControlCall(id: 1, method: .request(wish))) }
        guard let line else { throw BrokenProperty("\(name) has no line") }
        guard let again = request(in: Array(line)), case .success(let same) = again.method else {
            throw BrokenProperty("the line of \(name) is not understood")
        }
        return same
    }

    private static func isSame<R: Request>(_ request: R, _ other: any Request) -> Bool {
        other as? R == request
    }

    private static func request(in bytes: [UInt8]) -> ControlRequest? {
        accepted { try ControlRequest.decoder(HandlerTable.names).decode(ControlRequest.self, from: Data(bytes)) }
    }
}
