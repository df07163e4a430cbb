import { priceOf, screenshotOf, totalCredits, type Warning } from '@gleaner/contracts';
import { ModelError } from '../../model/chat-client.ts';
import type { ModelFindings } from '../../model/model-extractor.ts';
import type { Page, SitePage } from '../page.ts';

/** Returns true for a page that a model is asked about. */
export function wantsModel({ request }: Page): boolean {
  return request.extract !== undefined;
}

/** Time that stays for the reply when a model does not answer. */
const REPLY_MS = 1000;

/** Adds the findings of the model to the data. A model without an answer costs nothing, and leaves the page as it is. */
export async function extractByModel(page: SitePage): Promise<void> {
  const { warnings, request, values } = page;
  let findings: ModelFindings | undefined;
  try {
    findings = await askModel(page);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    warnings.push({ code: 'LLM_FAILED', message: error.message });
  }
  const { data = {}, missing = {}, llm, credits = 0 } = findings ?? {};
  page.values = {
    ...values,
    dataJson: mergeData(values.dataJson, data, Object.keys(request.selectors ?? {})),
  };
  if (llm) page.found.llm = llm;
  if (credits > 0 && request.extract?.maxCredits !== undefined) page.found.llmCredits = credits;
  warnings.push(...Object.entries(missing).map(([field, count]) => notOnPage(field, count)));
}

async function askModel(page: SitePage): Promise<ModelFindings> {
  const { deps, request, values, found, deadlineMs, reading } = page;
  const { extract } = request;
  const { forModel } = values;
  if (!deps.model) throw new ModelError('The scraper has no LLM_URL and LLM_MODEL.');
  const verdict = found.verdict ?? values.verdict;
  if (verdict.page !== 'content')
    throw new ModelError(
      `The model was not asked, because the page seems to be of the kind "${verdict.page}".`,
    );
  if (!extract || !forModel)
    throw new ModelError('The model was not asked, because the page shows a secret of the steps.');
  return await deps.model.extract({
    extract,
    page: forModel,
    locale: request.locale,
    maxCredits: creditsFor(page),
    deadlineMs: deadlineMs - REPLY_MS,
    reading,
  });
}

/** Returns the credits that were held for the model. */
function creditsFor({ request, engine }: SitePage): number {
  const { extract, maxCredits = Number.POSITIVE_INFINITY, antiBot = false, proxy } = request;
  if (extract?.maxCredits === undefined) return Number.POSITIVE_INFINITY;
  const others = priceOf({
    render: engine === 'browser',
    screenshot: screenshotOf(request) !== undefined,
    proxy: proxy !== undefined,
    antiBot,
  });
  return Math.min(extract.maxCredits, maxCredits - totalCredits(others));
}

/** Adds fields to a JSON object, whose own fields stay as they are; it is not parsed. */
function mergeData(json = '{}', data: ModelFindings['data'], own: readonly string[]): string {
  const added = Object.entries(data).filter(([name]) => !own.includes(name));
  const members = [json.slice(1, -1), JSON.stringify(Object.fromEntries(added)).slice(1, -1)];
  return `{${members.filter((each) => each !== '').join(',')}}`;
}

function notOnPage(field: string, count: number): Warning {
  const values = count === 1 ? 'A value' : `${count} values`;
  return {
    field,
    code: 'VALUE_NOT_ON_PAGE',
    message: `${values} that the model gave for "${field}" could not be found on the page, or not where the other values of its item are.`,
  };
}
