import type { Budget } from '@gleaner/extraction';
import type { CapturedBodies, CapturedBody } from '../../browser/tab/response-capture.ts';
import type { Reading } from '../reading.ts';

/** Depth to which JSON is returned as JSON; deeper JSON is text, for programs to read if they want to. */
const MAX_DEPTH = 200;

/** Responses that the page got. */
export const CAPTURED: Reading = {
  read({ wanted: { captured }, budget, values }) {
    if (captured && !values.missing) values.capturedJson = renderCaptured(captured, budget);
  },
};

/** Returns the captured responses as the API shows them, in JSON: bodies that are JSON as they came. */
function renderCaptured(captured: CapturedBodies, budget: Budget): string {
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
  // An object or a list that parses has its end, which Chromium may not have reported.
  const mayBeWhole = !isTruncated || /^\s*[[{]/.test(body);
  if (!mayBeWhole || !isJson(body)) return `,"text":${JSON.stringify(body.toWellFormed())}`;
  return `,"json":${withWholePairs(onOneLine(body))}`;
}

/** Leaves out line breaks and the indentation after them, which stand only between the tokens of JSON: each result of a stream is a line. */
function onOneLine(json: string): string {
  return json.replace(/[\n\r][\t\n\r ]*/g, '');
}

/** Matches an escape of JSON: a pair of surrogates, half of a pair, or any other. */
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F]|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

/** Writes halves of surrogate pairs as U+FFFD, as all other texts do: parsers of other languages reject them. */
function withWholePairs(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json.toWellFormed();
  return json
    .toWellFormed()
    .replace(ESCAPE, (written, half: string | undefined) => (half === undefined ? written : '\\ufffd'));
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
