extension CreativeCache {
    /// What a file is worth; the least goes first.
    enum Worth: Comparable {
        case unwanted(use: Int64)
        case wanted(WantedFile.Need)

        static func < (left: Worth, right: Worth) -> Bool {
            switch (left, right) {
            case (.unwanted(let left), .unwanted(let right)): left < right
            case (.unwanted, .wanted): true
            case (.wanted, .unwanted): false
            // What is needed sooner is worth more.
            case (.wanted(let left), .wanted(let right)): right < left
            }
        }
    }

    /// The files that are there, the least worth first.
    struct Ranking {
        struct File {
            let address: String
            let sizeBytes: Int64
            let worth: Worth
        }

        let files: [File]
        /// Bytes of the files up to each.
        private let sums: [Int64]

        init(_ files: [File]) {
            self.files = files.sorted { ($0.worth, $0.address) < ($1.worth, $1.address) }
            var sum: Int64 = 0
            sums = self.files.map { file in
                sum += file.sizeBytes
                return sum
            }
        }

        /// The bytes of all files that are worth less than one that is wanted so.
        func bytes(below need: WantedFile.Need) -> Int64 {
            let count = files.partitioningIndex { $0.worth >= .wanted(need) }
            return count == 0 ? 0 : sums[count - 1]
        }

        /// What goes for a file that is wanted so; nil when what is worth less does not suffice.
        func evictions(toFree bytes: Int64, for need: WantedFile.Need) -> [String]? {
            guard bytes > 0 else { return [] }
            let count = sums.partitioningIndex { $0 >= bytes } + 1
            guard count <= files.count, files[count - 1].worth < .wanted(need) else { return nil }
            return files.prefix(count).map(\.address)
        }
    }
}
