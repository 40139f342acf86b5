internal import Configuration
internal import LinuxSupport
internal import Varlink

/// What is to be done with house campaigns.
enum CampaignVerb {
    case add(JSONObject)
    case edit(id: Int64, InventoryEdit)
    case list
    case show(id: Int64)
    case remove(id: Int64, revision: Int64?)
    case importFile(String)
    case export
}

/// What is to be done with what they show.
enum CreativeVerb {
    case add(campaign: Int64, file: String?, JSONObject)
    case edit(id: Int64, file: String?, InventoryEdit)
    case list(campaign: Int64?)
    case remove(id: Int64, revision: Int64?)
}

/// What an edit changes.
struct InventoryEdit {
    /// What it starts from; without one it is read first.
    var revision: Int64?
    /// The fields with their new values.
    var fields: JSONObject
    /// The fields that shall hold nothing.
    var cleared: [String]
}

/// The command line after `campaign` and `creative`.
enum InventoryArguments {
    static let nouns: Set<String> = ["campaign", "creative"]

    static let helpText = """
        adslotctl [OPTIONS] campaign VERB ...
        adslotctl [OPTIONS] creative VERB ...

          campaign add NAME --advertiser NAME --cpm PRICE --currency CODE [FIELDS]
          campaign edit ID [--name NAME] [FIELDS] [--revision N]
          campaign list
          campaign show ID
          campaign remove ID [--revision N]
          campaign export > FILE           all of it, the files too
          campaign import FILE             all of it or nothing; - is standard input

            --advertiser NAME              whose it is, and
            --domain DOMAIN                its domain, such as shoes.example: never twice on screen
            --category CATEGORY            of the IAB, such as IAB18; again for more
            --cpm PRICE --currency CODE    the price of a thousand impressions, such as 2.50 EUR
            --from TIME --until TIME       when it runs, such as 2026-12-01 or 2026-12-01T08:00: by the
                                           local clock, unless it says Z or +01:00
            --hours HOURS                  such as "mon-fri 08:00-20:00"; again for more
            --weight N                     its share of what guaranteed campaigns leave, or
            --impressions N                so many, guaranteed between --from and --until
            --tier N                       1 to 16; the lowest is served first
            --cap COUNT/TIME[:SCOPE]       such as 3/1h, or 20/24h:device for all slots; again for more
            --enable, --disable
            --no-domain, --no-category, --no-from, --no-until, --no-hours, --no-cap

          creative add CAMPAIGN FILE [FIELDS] [--revision N]
          creative add CAMPAIGN --url ADDRESS --size WxH [--kind image|html] [FIELDS]
          creative edit ID [FILE] [--url ADDRESS] [FIELDS] [--revision N]
          creative list [CAMPAIGN]
          creative remove ID [--revision N]

            --size WxH                     in density-independent pixels; of a picture its own, unless said
            --click URL                    where a click leads
            --enable, --disable, --no-click

        Without --revision an edit starts from what is there; with one (campaign show tells it), it is refused
        where somebody else has edited the campaign or its creatives meanwhile.
        """

    static func parse(
        _ noun: String, _ arguments: ArraySlice<String>, _ options: Options
    ) throws(Failure) -> Arguments {
        var options = options
        var rest = arguments
        var words: [String] = []
        var fields = InventoryOptions()
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            var option = GivenOption(argument, followedBy: rest)
            switch option.name {
            case "--help", "-h": return .inventoryHelp
            case "--version": return .version
            default:
                let isTaken = try options.take(&option)
                if !isTaken { try fields.take(&option) }
            }
            try option.checkTaken()
            rest = option.rest
        }
        if noun == "campaign" { return .verb(.campaign(try campaign(words, &fields)), options) }
        return .verb(.creative(try creative(words, &fields)), options)
    }

    private static func campaign(
        _ words: [String], _ options: inout InventoryOptions
    ) throws(Failure) -> CampaignVerb {
        let verb: CampaignVerb
        switch (words.first, words.count) {
        case ("add", 2):
            options.fields["name"] = .string(words[1])
            for (field, option) in [
                ("advertiser", "--advertiser"), ("price", "--cpm"), ("currency", "--currency"),
            ]
            where options.fields[field] == nil {
                throw .usage("campaign add needs \(option)")
            }
            verb = .add(try options.takeFields(of: "campaign"))
        case ("edit", 2):
            let revision = options.takeRevision()
            verb = .edit(
                id: try id(words[1]),
                try edit(options.takeFields(of: "campaign"), options.takeCleared(), revision))
        case ("list", 1): verb = .list
        case ("show", 2): verb = .show(id: try id(words[1]))
        case ("remove", 2): verb = .remove(id: try id(words[1]), revision: options.takeRevision())
        case ("import", 2): verb = .importFile(words[1])
        case ("export", 1): verb = .export
        case ("add", _): throw .usage("campaign add takes one name")
        case ("edit", _), ("show", _), ("remove", _):
            throw .usage("campaign \(words[0]) takes the number of one campaign")
        case ("import", _): throw .usage("campaign import takes one file")
        case ("list", _), ("export", _): throw .usage("campaign \(words[0]) takes no further words")
        default:
            throw .usage("campaign takes one of add, edit, list, show, remove, import and export")
        }
        try options.checkTaken("campaign \(words[0])")
        return verb
    }

    private static func creative(
        _ words: [String], _ options: inout InventoryOptions
    ) throws(Failure) -> CreativeVerb {
        let verb: CreativeVerb
        switch (words.first, words.count) {
        case ("add", 2...3):
            let file = words.count == 3 ? words[2] : nil
            let hasAddress = options.fields["address"] != nil
            guard hasAddress != (file != nil) else { throw .usage("creative add takes a file or --url") }
            if hasAddress, options.fields["size"] == nil { throw .usage("--url needs --size") }
            if let revision = options.takeRevision() { options.fields["revision"] = .integer(revision) }
            verb = .add(
                campaign: try id(words[1]), file: file, try options.takeFields(of: "creative"))
        case ("edit", 2...3):
            let file = words.count == 3 ? words[2] : nil
            if file != nil, options.fields["address"] != nil {
                throw .usage("a creative has a file or an address, not both")
            }
            let revision = options.takeRevision()
            let (fields, cleared) = (try options.takeFields(of: "creative"), options.takeCleared())
            let edit =
                file == nil
                ? try edit(fields, cleared, revision)
                : InventoryEdit(revision: revision, fields: fields, cleared: cleared)
            verb = .edit(id: try id(words[1]), file: file, edit)
        case ("list", 1...2): verb = .list(campaign: words.count == 2 ? try id(words[1]) : nil)
        case ("remove", 2): verb = .remove(id: try id(words[1]), revision: options.takeRevision())
        case ("add", _): throw .usage("creative add takes the number of a campaign, and a file")
        case ("edit", _): throw .usage("creative edit takes the number of a creative, and a file at most")
        case ("list", _): throw .usage("creative list takes the number of one campaign at most")
        case ("remove", _): throw .usage("creative remove takes the number of one creative")
        default: throw .usage("creative takes one of add, edit, list and remove")
        }
        try options.checkTaken("creative \(words[0])")
        return verb
    }

    private static func edit(
        _ fields: JSONObject, _ cleared: [String], _ revision: Int64?
    ) throws(Failure) -> InventoryEdit {
        guard !fields.isEmpty || !cleared.isEmpty else { throw .usage("nothing is to be changed") }
        return InventoryEdit(revision: revision, fields: fields, cleared: cleared)
    }

    private static func id(_ text: String) throws(Failure) -> Int64 {
        guard let id = Int64(text), id > 0 else {
            throw .usage("'\(text)' is no number such as 'campaign list' shows")
        }
        return id
    }
}
