/// A whole number of the smallest unit as a decimal number of so many digits after the point, of which at
/// least two are written: 1,500 of three digits is `1.50`.
func decimalText(_ value: Int128, digits: Int) -> String {
    var figures = String(value)
    if figures.utf8.count <= digits {
        figures = String(repeating: "0", count: digits + 1 - figures.utf8.count) + figures
    }
    var fraction = figures.suffix(digits)
    let whole = figures.dropLast(digits)
    while fraction.utf8.count > 2, fraction.last == "0" { fraction.removeLast() }
    return "\(whole).\(fraction)"
}
