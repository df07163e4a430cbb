/** The part of jsdom that the tests use. Its published types would add those of browsers to every package. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string);
    readonly window: { readonly document: { querySelectorAll(css: string): Iterable<object> } };
  }
}
