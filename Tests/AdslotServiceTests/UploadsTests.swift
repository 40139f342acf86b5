import Ledger
import Testing

@testable import AdslotService
@testable import Varlink

@Suite("Files that clients send")
struct UploadsTests {
    private let one = ConnectionID(value: 1)
    private let two = ConnectionID(value: 2)

    @Test("Pieces are put together, for their own connection")
    func pieces() throws {
        let uploads = Uploads()
        let number = try #require(uploads.begin(on: one))
        #expect(try uploads.append([1, 2], to: number, on: one) == [1, 2])
        #expect(try uploads.append([3], to: number, on: two) == nil)
        #expect(try uploads.append([4], to: number, on: one) == [1, 2, 4])
        #expect(uploads.file(number, on: one) == nil)
        #expect(uploads.drop(two).isEmpty)
        #expect(try uploads.append([], to: number, on: one) == [1, 2, 4])
        #expect(uploads.drop(one).isEmpty)
        #expect(try uploads.append([], to: number, on: one) == nil)
    }

    @Test("One that is longer than a file may be is refused and forgotten")
    func tooLong() throws {
        let uploads = Uploads()
        let number = try #require(uploads.begin(on: one))
        let half = [UInt8](repeating: 7, count: 4 << 20)
        for _ in 1...2 { _ = try uploads.append(half, to: number, on: one) }
        let error = #expect(throws: InventoryError.self) { try uploads.append([7], to: number, on: one) }
        #expect(error?.description == "the file is longer than the 8388608 bytes that a creative may have")
        #expect(try uploads.append([], to: number, on: one) == nil)
    }

    @Test("So many arrive at one time; one that is forgotten makes room")
    func room() {
        let uploads = Uploads()
        let numbers = (1...4).compactMap { _ in uploads.begin(on: one) }
        #expect(numbers.count == 4 && uploads.begin(on: two) == nil)
        uploads.forget(numbers[2])
        uploads.forget(numbers[2])
        #expect(uploads.begin(on: two) != nil && uploads.begin(on: two) == nil)
        _ = uploads.drop(one)
        #expect((1...4).compactMap { _ in uploads.begin(on: two) }.count == 3)
    }
}
