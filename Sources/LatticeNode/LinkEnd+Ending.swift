import LatticeAPI
import LatticeMesh
import LatticeWire

extension LinkEnding {
    init(_ end: LinkEnd) {
        self =
            switch end {
            case .goodbye(let goodbye): .goodbye(text: goodbye.text)
            case .refused(let refusal): .refused(why: Refusal(refusal))
            case .refusedByUs(let refusal): .refusedByUs(why: Refusal(refusal))
            case .silent: .silent
            case .broken(let reason): .broken(reason: reason)
            case .addressGone: .addressGone
            case .fault(let reason): .fault(reason: reason)
            case .left: .left
            case .rearranged: .rearranged
            case .blocked: .blocked
            case .dial(let end): .dial(end: end)
            case .otherThere(let address): .otherThere(address: address)
            }
    }
}

extension LinkEnding.Refusal {
    fileprivate init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .otherMesh: .otherMesh
            case .duplicate: .duplicate
            case .declined: .declined
            case .notAContact: .notAContact
            case .closed: .closed
            case .tooManyLinks: .tooManyLinks
            case .unanswered: .unanswered
            case .full: .full
            case .busy: .busy
            case .unknown: .unknown
            }
    }
}
