/** What the headers of an answer may come to. Browsers take 256 KiB; no page that we know of needs a quarter of it. */
export const MAX_HEADER_BYTES = 65_536;
