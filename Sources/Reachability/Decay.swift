/// Exponential decay by half-lives, by arithmetic that gives the same bits on every machine.
enum Decay {
    /// What is left of 1 after `elapsed`, when one half is left after `halfLife`.
    ///
    /// Without a half-life nothing is left as soon as any time has passed.
    static func factor(after elapsed: Duration, halfLife: Duration) -> Double {
        let elapsed = elapsed.microseconds
        let halfLife = halfLife.microseconds
        guard elapsed > 0 else { return 1 }
        guard halfLife > 0, elapsed / halfLife < wholeHalvesMax else { return 0 }
        let (whole, rest) = elapsed.quotientAndRemainder(dividingBy: halfLife)
        let halved = Double(sign: .plus, exponent: -Int(whole), significand: 1)
        return halved * fractionOfHalf(Double(rest) / Double(halfLife))
    }

    /// After so many half-lives nothing is left that a Double could hold.
    private static let wholeHalvesMax = 1000

    /// One half to the power of `exponent`, which is from 0 up to 1: its binary digits choose among the
    /// square root of one half, the square root of that, and so on.
    private static func fractionOfHalf(_ exponent: Double) -> Double {
        var result = 1.0
        var root = 0.5
        var rest = exponent
        while rest > 0 {
            root = root.squareRoot()
            rest *= 2
            if rest >= 1 {
                rest -= 1
                result *= root
            }
        }
        return result
    }
}
