import { AppError, type ErrorDetail, MAX_MODEL_TOKENS, type ScrapeOptions } from '@gleaner/contracts';
import { compileShape } from '@gleaner/extraction';

/** The model of the operator. */
export interface ModelRules {
  /** Undefined without LLM_URL and LLM_MODEL. */
  readonly model?: { readonly creditsPer1kTokens: number } | undefined;
}

/** Throws NOT_CONFIGURED for `extract` on an installation without a model. */
export function requireModel({ extract }: Pick<ScrapeOptions, 'extract'>, { model }: ModelRules): void {
  if (!extract || model) return;
  throw new AppError('NOT_CONFIGURED', {
    message:
      'This installation has no language model for extract: its operator has not set LLM_URL and LLM_MODEL.',
    suggestion:
      'Use selectors, which POST /v1/snapshots/{id}/suggest finds for you, or let your own model read the Markdown of the page; docs/model.md shows both.',
    details: [{ path: 'extract', message: 'needs the settings LLM_URL and LLM_MODEL' }],
  });
}

/** Finds unsupported keywords of the schema, by their paths. */
export function findModelErrors(
  { extract }: Pick<ScrapeOptions, 'extract'>,
  path?: string,
): readonly ErrorDetail[] {
  if (!extract) return [];
  const { schema, evidence = 'required' } = extract;
  const compiled = compileShape(schema, evidence, path);
  return 'errors' in compiled ? compiled.errors : [];
}

/** Returns a request with the highest price of the model for a page. */
export function withModelPrice<Options extends Pick<ScrapeOptions, 'extract'>>(
  options: Options,
  { model }: ModelRules,
): Options {
  if (!options.extract) return options;
  const { maxCredits, ...extract } = options.extract;
  const highest = Math.ceil(((model?.creditsPer1kTokens ?? 0) * MAX_MODEL_TOKENS) / 1000);
  const most = Math.min(maxCredits ?? highest, highest);
  return { ...options, extract: highest > 0 ? { ...extract, maxCredits: most } : extract };
}
