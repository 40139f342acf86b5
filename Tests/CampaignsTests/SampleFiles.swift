import Foundation

@testable import Campaigns

/// Small pictures of eight by four pixels, as Pillow 13 and its libraries write them.
enum SampleFiles {
    static let pictures: [(name: String, format: CreativeFormat, bytes: [UInt8])] = [
        ("png", .png, decode(png)),
        ("palettePNG", .png, decode(palettePNG)),
        ("jpeg", .jpeg, decode(jpeg)),
        ("progressiveJPEG", .jpeg, decode(progressiveJPEG)),
        ("gif", .gif, decode(gif)),
        ("animatedGIF", .gif, decode(animatedGIF)),
        ("lossyWebP", .webp, decode(lossyWebP)),
        ("losslessWebP", .webp, decode(losslessWebP)),
        ("alphaWebP", .webp, decode(alphaWebP)),
        ("animatedWebP", .webp, decode(animatedWebP)),
    ]

    static let page = Array("<!doctype html>\n<title>Schöne Schuhe</title><p>49 €".utf8)

    /// The sample of a name.
    static func picture(_ name: String) -> [UInt8] {
        pictures.first { $0.name == name }?.bytes ?? []
    }

    private static func decode(_ text: String) -> [UInt8] {
        Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }

    private static let png = """
        iVBORw0KGgoAAAANSUhEUgAAAAgAAAAECAIAAAA8r+mnAAAAIElEQVR4nGNkYGDQwIZYGGwYGBg4MRFcQggNIUtIIyMAp/YD
        MA/KNfcAAAAASUVORK5CYII=
        """

    private static let palettePNG = """
        iVBORw0KGgoAAAANSUhEUgAAAAgAAAAEAgMAAADOo5ZjAAAADFBMVEWgllqgPCQVeDBsAAD04IWKAAAAFElEQVR4nGP8f4Nh
        bRjT7zVMDAwAIugEh8Jg34EAAAAASUVORK5CYII=
        """

    private static let jpeg = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L
        2u71////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4
        +Pj4+Pj4+Pj4+Pj4+Pj/wAARCAAEAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAaEAACAgMAAAAAAAAA
        AAAAAAAAAwECBCJB/8QAFQEBAQAAAAAAAAAAAAAAAAAAAQP/xAAaEQACAgMAAAAAAAAAAAAAAAAAAQIDESEx/9oADAMBAAIR
        AxEAPwCVYypXbXkgAKuEZyeFs//Z
        """

    private static let progressiveJPEG = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L
        2u71////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4
        +Pj4+Pj4+Pj4+Pj4+Pj/wgARCAAEAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAVAQEBAAAAAAAAAAAA
        AAAAAAABAv/aAAwDAQACEAMQAAABgI//xAAWEAEBAQAAAAAAAAAAAAAAAAABAhH/2gAIAQEAAQUCJM//xAAVEQEBAAAAAAAA
        AAAAAAAAAAABAP/aAAgBAwEBPwFb/8QAFREBAQAAAAAAAAAAAAAAAAAAAAL/2gAIAQIBAT8Bl//EABQQAQAAAAAAAAAAAAAA
        AAAAAAD/2gAIAQEABj8Cf//EABYQAAMAAAAAAAAAAAAAAAAAAAARIf/aAAgBAQABPyFhD//aAAwDAQACAAMAAAAQC//EABcR
        AQADAAAAAAAAAAAAAAAAAAEAESH/2gAIAQMBAT8QajZ//8QAFREBAQAAAAAAAAAAAAAAAAAAADH/2gAIAQIBAT8Ql//EABYQ
        AQEBAAAAAAAAAAAAAAAAAAEAYf/aAAgBAQABPxB+Bv/Z
        """

    private static let gif = """
        R0lGODdhCAAEAIEAAKCWWqA8JBV4MGwAACwAAAAACAAEAAAIGQAHCBQYIMAAAQIGFCyIECGAhwAaCoAYMSAAOw==
        """

    private static let animatedGIF = """
        R0lGODlhCAAEAIEAAKCWWqA8JBV4MGwAACH/C05FVFNDQVBFMi4wAwEAAAAsAAAAAAgABAAACBkABwgUGCDAAAECBhQsiBAh
        gIcAGgqAGDEgACH5BAEAAAQALAAAAAAIAAQAgaCWWqA8JBV4MGwAAAgbAAUAGAhAgEECBAsKIEAggMMAAxYOcDigYsWAADs=
        """

    private static let lossyWebP = """
        UklGRjgAAABXRUJQVlA4ICwAAADQAQCdASoIAAQAB0CWJagCdAEOlliEAAD+hAOMhhEQRTiEXpz+4t5NjE7AAA==
        """

    private static let losslessWebP = """
        UklGRi4AAABXRUJQVlA4TCIAAAAvB8AAALkyRPQ/dhHR/4BCthGggc2f7B6FQZmEmACgLJg/
        """

    private static let alphaWebP = """
        UklGRmwAAABXRUJQVlA4WAoAAAAQAAAABwAAAwAAQUxQSBkAAAABHyAWTEMsgewqIiKDQIAwadKkjYj+B2g9AFZQOCAsAAAA
        0AEAnQEqCAAEAAdAliWoAnQBDpZYhAAA/oQDjIYREEU4hGPtBJXYL85yAAA=
        """

    private static let animatedWebP = """
        UklGRuAAAABXRUJQVlA4WAoAAAACAAAABwAAAwAAQU5JTQYAAAAAAAAAAABBTk1GVAAAAAAAAAAAAAcAAAMAAAAAAAJWUDgg
        PAAAAFABAJ0BKggABAAHQJYlqAAEdAAA+zoiX5g3iZ/rn/fEU9i6S5PnLSQhbf7OP9ov5yXsAl5dzTjAwe4AAEFOTUZYAAAA
        AAAAAAAABwAAAwAAAAAAAFZQOCBAAAAAVAEAnQEqCAAEAAAAliWwAAR0AAD+7afqjd5N0Yg/hv/eW9NOcYzhWdszsr8GdWzG
        PcqVpIH9oaU/h1BOiEAAAA==
        """
}
