/** Names and limits of the watch for pending work. */
export interface PendingWorkOptions {
  /** Name of the event that asks the script. */
  readonly event: string;
  /** Furthest that timers are watched ahead, in milliseconds. */
  readonly limitMs: number;
  readonly lateMs: number;
  readonly frameMs: number;
  /** Constructors of what may call a script at any time. */
  readonly sources: readonly string[];
}

/** Names and limits of the reading of a frame. */
export interface ReadFrameOptions {
  /** Attribute that marks a frame. */
  readonly mark: string;
  /** Key, among symbols, of the map of marked elements. */
  readonly marked: string;
  readonly maxChars: number;
}

/** Names and limits of the search for hidden text. */
export interface HiddenTextOptions {
  /** Key, among symbols, of the map of marked elements. */
  readonly key: string;
  /** Value of their mark. */
  readonly value: string;
  readonly maxElements: number;
  /** Attributes of elements that scripts show as the page is scrolled. */
  readonly shownByScripts: readonly string[];
}

/** Names and limits of the serialization of a document. */
export interface SerializeOptions {
  /** Kind that the Content-Type of the document stands for. */
  readonly sentAs: string;
  /** Attributes that mark elements, each with the key, among symbols, of the map of these elements. */
  readonly marks: readonly { readonly name: string; readonly key: string }[];
  /** Key, among symbols, of the elements that steps keep. */
  readonly collection: string;
  readonly maxChars: number;
}

/** Limits of what is said about a layer. */
export interface LayerLimits {
  /** Elements around the layer whose names are its own: platforms wrap their layers. */
  readonly maxAncestors: number;
  readonly maxNamesChars: number;
  readonly maxTextChars: number;
  /** Longer layers are pages. */
  readonly maxLayerChars: number;
}

/** Names and limits of the elements that steps keep. */
export interface CollectionOptions {
  /** Key, among symbols, of what reads them. */
  readonly key: string;
  readonly maxCollected: number;
  /** Most characters of all of them. */
  readonly maxChars: number;
}

/** Names and limits of the dismissal of layers. */
export interface OverlayOptions {
  /** Name of layers that were found without a rule. */
  readonly unknown: string;
  /** Attribute of elements dismissed without a rule that names them. */
  readonly dismissed: string;
  /** CSS list of the layers of known platforms. */
  readonly layers: string;
  /** Number of looks at a page, and the pause between them. */
  readonly looks: number;
  readonly lookEveryMs: number;
  /** Time that a layer has to go after its button was clicked. */
  readonly goneWithinMs: number;
  readonly pollEveryMs: number;
  /** Part of the window that a layer covers at least, if only its markup says what it is. */
  readonly largeShare: number;
}
