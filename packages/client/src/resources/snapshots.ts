import type { Caller } from '../caller.ts';
import type { BodyOf, CallOptions, ResultOf } from '../operation-types.ts';
import { joinBytes, readChunks } from '../read-lines.ts';

/** Pages that were kept by scrapes with `snapshot`. Nothing is fetched, and only a model costs credits. */
export class Snapshots {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Extracts data, and names the elements that each selector matches. */
  async extract(
    id: string,
    body: BodyOf<'extractSnapshot'> = {},
    options?: CallOptions,
  ): Promise<Omit<ResultOf<'extractSnapshot'>, 'success'>> {
    const { success, ...result } = await this.#caller.call(
      'extractSnapshot',
      { path: { id }, body },
      options,
    );
    return result;
  }

  /** Proposes selectors for elements of the page, the most robust first. */
  async suggest(
    id: string,
    body: BodyOf<'suggestSelectors'>,
    options?: CallOptions,
  ): Promise<ResultOf<'suggestSelectors'>['candidates']> {
    return (await this.#caller.call('suggestSelectors', { path: { id }, body }, options)).candidates;
  }

  /** Has a model find the values of a schema, and returns selectors that give the same values. */
  async propose(
    id: string,
    body: Pick<BodyOf<'suggestSelectors'>, 'prompt' | 'locale' | 'alsoOn' | 'maxCredits'> &
      Required<Pick<BodyOf<'suggestSelectors'>, 'schema'>>,
    options?: CallOptions,
  ): Promise<NonNullable<ResultOf<'suggestSelectors'>['proposal']>> {
    const { proposal } = await this.#caller.call('suggestSelectors', { path: { id }, body }, options);
    if (!proposal) throw new TypeError('The service has sent no proposal for the schema.');
    return proposal;
  }

  /** Returns the page as HTML for a sandboxed frame, with the number of each element as `data-gl-n`. */
  async view(id: string, options?: CallOptions): Promise<string> {
    const chunks: Uint8Array[] = [];
    const response = await this.#caller.open('viewSnapshot', { path: { id } }, options);
    for await (const chunk of readChunks(response)) chunks.push(chunk);
    return new TextDecoder().decode(joinBytes(chunks));
  }
}
