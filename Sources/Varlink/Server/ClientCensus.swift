/// Counts clients against the bounds on them.
struct ClientCensus: Equatable, Sendable {
    /// Whether one more client may come in.
    enum Admission: Equatable, Sendable {
        /// It is counted now.
        case admitted
        /// There are as many clients as there may be.
        case tooMany(clients: Int)
        /// Its user has as many clients as one may have.
        case tooManyOfUser(clients: Int)
    }

    let clientsMax: Int
    let clientsPerUserMax: Int
    private(set) var count = 0
    private var countOfUser: [UInt32: Int] = [:]

    init(clientsMax: Int, clientsPerUserMax: Int) {
        self.clientsMax = clientsMax
        self.clientsPerUserMax = clientsPerUserMax
    }

    /// A client of a user has come.
    mutating func enter(uid: UInt32) -> Admission {
        let ofUser = countOfUser[uid, default: 0]
        guard count < clientsMax else { return .tooMany(clients: count) }
        guard ofUser < clientsPerUserMax else { return .tooManyOfUser(clients: ofUser) }
        count += 1
        countOfUser[uid] = ofUser + 1
        return .admitted
    }

    /// A client of a user that was admitted has gone.
    mutating func leave(uid: UInt32) {
        count -= 1
        let ofUser = countOfUser[uid, default: 0] - 1
        countOfUser[uid] = ofUser > 0 ? ofUser : nil
    }
}
