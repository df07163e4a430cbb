/** Bytes of the present part, or its end with the rows that it has. */
export type PartOutput = Uint8Array | { readonly rows: number };

/** Writes results into files of a limited size, the parts. */
export interface PartWriter {
  /** Yields the output of one result, a JSON text. */
  write(text: string): Iterable<PartOutput>;
  /** Yields the rest of the last part. There is at least one part. */
  end(): Iterable<PartOutput>;
}
