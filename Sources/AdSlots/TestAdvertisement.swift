/// A test advertisement: one HTML document that loads nothing and fills its frame exactly.
struct TestAdvertisement {
    let id: String
    let slot: String
    let size: Size

    /// The document.
    var markup: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>Test advertisement</title>
        <style>
        body { margin: 0; }
        .ad {
          box-sizing: border-box; width: \(size.width)px; height: \(size.height)px; overflow: hidden;
          display: flex; align-items: center; justify-content: space-between; padding: 0 8px;
          border: 1px solid #1b5e20; background: #e8f5e9; color: #1b5e20;
          font: 12px/1.2 system-ui, sans-serif;
        }
        </style>
        </head>
        <body>
        <div class="ad"><strong>Test advertisement</strong><span>\(escaped(slot)) · \(size) · \(escaped(id))</span></div>
        </body>
        </html>
        """
    }

    /// The text with every character that means something in HTML written as an entity.
    private func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
