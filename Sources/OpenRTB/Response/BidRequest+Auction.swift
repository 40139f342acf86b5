internal import JSON

/// The auction over the answer to a request.
extension BidRequest {
    /// Judges an answer: the highest bid that stands all checks wins, the first of equals.
    /// - Parameters:
    ///   - body: the answer's body, of any shape.
    ///   - competitor: says in which other slot a competitor of an ad is now, by the ad's domains and
    ///     categories; `nil` where there is none.
    public func judge(
        _ body: [UInt8],
        competitor: (_ domains: [String], _ categories: [String]) -> String? = { _, _ in nil }
    ) -> AuctionResult {
        // An empty answer is the shortest way to say nothing (OpenRTB 2.6, 4).
        guard body.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            return AuctionResult(outcome: .noFill(reason: "an empty answer"), losses: [])
        }
        do throws(BidFlaw) {
            let answer = try Answer(body, to: self)
            if let reason = answer.noBidReason {
                return AuctionResult(outcome: .noFill(reason: reason), losses: [])
            }
            return hold(answer, competitor)
        } catch {
            return AuctionResult(outcome: .refused(error), losses: [])
        }
    }

    private func hold(
        _ answer: Answer, _ competitor: ([String], [String]) -> String?
    ) -> AuctionResult {
        let check = BidCheck(request: self)
        var flaws: [(candidate: BidCandidate, flaw: BidFlaw)] = []
        var bids: [Bid] = []
        for candidate in answer.candidates {
            do throws(BidFlaw) {
                let bid = try check.check(candidate)
                if let slot = competitor(bid.domains, bid.categories) {
                    throw BidFlaw(
                        .noFill, candidate.place, "a competitor is in slot \(slot)", loss: .advertiserExcluded
                    )
                }
                bids.append(bid)
            } catch {
                flaws.append((candidate, error))
            }
        }
        // The sort keeps no order of its own between equals; their places do.
        bids.sort { $0.price > $1.price || $0.price == $1.price && $0.ordinal < $1.ordinal }
        var win: Win?
        while win == nil, let best = bids.first {
            bids.removeFirst()
            do throws(BidFlaw) {
                win = try self.win(best, over: bids.first, of: answer)
            } catch {
                flaws.append((answer.candidates[best.ordinal], error))
            }
        }
        flaws.sort { $0.candidate.ordinal < $1.candidate.ordinal }
        let losses = lossNotices(flaws: flaws, beaten: bids, by: win, of: answer)
        if let win { return AuctionResult(outcome: .won(win), losses: losses) }
        // Without a win all candidates have a flaw, and an answer without candidates has been a no-bid.
        let flaw = flaws.first?.flaw ?? BidFlaw(.wrongAnswer, "seatbid", "no bid")
        return AuctionResult(outcome: .refused(flaw), losses: losses)
    }

    private func win(_ bid: Bid, over next: Bid?, of answer: Answer) throws(BidFlaw) -> Win {
        var macros = macros(of: answer, seat: bid.seat, adID: bid.adID)
        macros.price = bid.price.description
        macros.marketBidRatio = "1"
        macros.minimumToWin = (next?.price ?? settings.floor).description
        let text = macros.substituted(in: bid.markup, of: .markup)
        let place = bid.place + ".adm"
        guard text.utf8.count <= Limits.markupBytesMax else {
            throw BidFlaw(
                .wrongCreative, place, "longer than \(Limits.markupBytesMax) bytes", loss: .creativeFiltered)
        }
        let markup = Markup(text)
        guard !settings.isSecure || !markup.loadsUnencrypted else {
            throw BidFlaw(
                .wrongCreative, place, "loads over http where https was asked for", loss: .notSecure)
        }
        let expiry = [bid.expirySeconds, settings.expirySeconds].compactMap(\.self).min()
        return Win(bid, markup: markup, text: text, macros: macros, expirySeconds: expiry)
    }

    private func lossNotices(
        flaws: [(candidate: BidCandidate, flaw: BidFlaw)], beaten: [Bid], by win: Win?, of answer: Answer
    ) -> [Notice] {
        var notices: [(ordinal: Int, notice: Notice?)] = []
        for (candidate, flaw) in flaws {
            var macros = macros(of: answer, seat: candidate.seat, adID: candidate.adID)
            macros.loss = String(flaw.loss.rawValue)
            notices.append(
                (
                    candidate.ordinal, Notice(.loss, candidate.lossURL, macros, bid: candidate.ordinal)
                ))
        }
        for bid in beaten {
            var macros = macros(of: answer, seat: bid.seat, adID: bid.adID)
            macros.loss = String(LossReason.lostToHigherBid.rawValue)
            macros.minimumToWin = win?.price.description
            notices.append((bid.ordinal, Notice(.loss, bid.lossURL, macros, bid: bid.ordinal)))
        }
        return notices.sorted { $0.ordinal < $1.ordinal }.compactMap(\.notice)
    }

    private func macros(of answer: Answer, seat: String?, adID: String?) -> Macros {
        Macros(
            auctionID: id, bidID: answer.bidID, impressionID: Self.impressionID, seatID: seat, adID: adID,
            currency: settings.currency, multiplier: settings.quantity?.multiplier.description)
    }
}

/// An answer as a whole: is it one, and to this question (OpenRTB 2.6, 4.2.1)?
private struct Answer {
    var bidID: String?
    /// Why there is no bid, where there is none.
    var noBidReason: String?
    var candidates: [BidCandidate] = []

    init(_ body: [UInt8], to request: BidRequest) throws(BidFlaw) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(reading: body)
        } catch {
            throw BidFlaw(.wrongAnswer, "", "no JSON: \(error)")
        }
        let fields = try Fields(value, at: "")
        let answered = try fields.text("id")
        if let answered, answered != request.id {
            throw BidFlaw(.wrongAnswer, "id", "\(answered.shown) is another request", loss: .invalidAuction)
        }
        bidID = try fields.identifier("bidid")
        candidates = try Self.candidates(fields)
        guard !candidates.isEmpty else {
            noBidReason = try fields.integer("nbr").map { NoBidReason.text($0) } ?? "no bid"
            return
        }
        guard answered != nil else { throw BidFlaw(.wrongAnswer, "id", "missing", loss: .invalidAuction) }
        let currency = try fields.text("cur") ?? "USD"
        guard currency == request.settings.currency else {
            throw BidFlaw(
                .wrongAnswer, "cur", "\(currency.shown) where \(request.settings.currency) was asked for")
        }
    }

    private static func candidates(_ fields: Fields) throws(BidFlaw) -> [BidCandidate] {
        var candidates: [BidCandidate] = []
        for (place, value) in try fields.elements("seatbid", max: Limits.bidsMax) {
            let seatFields = try Fields(value, at: place)
            let seat = try seatFields.identifier("seat")
            for (place, value) in try seatFields.elements("bid", max: Limits.bidsMax) {
                guard candidates.count < Limits.bidsMax else {
                    throw BidFlaw(.wrongAnswer, place, "more than \(Limits.bidsMax) bids")
                }
                candidates.append(
                    BidCandidate(
                        ordinal: candidates.count, place: place, seat: seat,
                        fields: try Fields(value, at: place)))
            }
        }
        return candidates
    }
}
