public import Campaigns

/// Who knows what is on the screens of all slots, or about to be.
public protocol ScreenWatch: AnyObject {
    /// Whom an ad in a slot would stand beside; of very many not all.
    func neighbours(of slot: String) -> Separation
    /// In which other slot a competitor of an ad is, nil where there is none.
    func competitor(of separation: Separation, besides slot: String) -> String?
}
