import type { Budget } from '@gleaner/extraction';
import type { CapturedBodies, CapturedBody } from '../browser/tab/response-capture.ts';

/** Deepest JSON that is returned as JSON; deeper one is text, which programs can still read if they want to. */
const MAX_DEPTH = 200;

/** Returns the captured responses as the API shows them, in JSON: bodies that are JSON as they came. */
export function renderCaptured(captured: CapturedBodies, budget: Budget): string {
  const members = Object.entries(captured).map(
    ([name, responses]) =>
      `${JSON.stringify(name)}:[${responses.map((response) => renderResponse(response, budget)).join(',')}]`,
  );
  return `{${members.join(',')}}`;
}

/** Returns the texts that selectors read, by the names of the captures. */
export function textsOf(captured: CapturedBodies): Map<string, readonly string[]> {
  return new Map(
    Object.entries(captured).map(([name, responses]) => [
      name,
      responses.flatMap(({ body, isBase64 }) => (body === undefined || isBase64 ? [] : [body])),
    ]),
  );
}

function renderResponse({ url, method, status, contentType, ...body }: CapturedBody, budget: Budget): string {
  const head = JSON.stringify({ url, method, status, contentType }).slice(0, -1);
  return `${head}${renderBody(body, budget)}${body.isTruncated ? ',"truncated":true' : ''}}`;
}

function renderBody(
  { body, isBase64, isTruncated }: Pick<CapturedBody, 'body' | 'isBase64' | 'isTruncated'>,
  budget: Budget,
): string {
  if (body === undefined) return '';
  budget.spend(body.length);
  if (isBase64) return `,"base64":"${body}"`;
  return !isTruncated && isJson(body) ? `,"json":${body}` : `,"text":${JSON.stringify(body)}`;
}

function isJson(text: string): boolean {
  if (!/^[\s]*["{[\dtfn-]/.test(text) || depthOf(text) > MAX_DEPTH) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the depth of a JSON text. */
function depthOf(text: string): number {
  let [depth, deepest, isInText] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}
