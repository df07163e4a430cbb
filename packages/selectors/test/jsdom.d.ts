/** Declares the part of jsdom used in tests. Its published types would add the types of browsers to every package. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string);
    readonly window: { readonly document: { querySelectorAll(css: string): Iterable<object> } };
  }
}
