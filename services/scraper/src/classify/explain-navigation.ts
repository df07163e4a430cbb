import { AppError } from '@gleaner/contracts';
import { type EgressPolicy, quoteUrl } from '@gleaner/egress';
import type { DocumentResponse } from './classify-rendered.ts';
import { classifyResponse, type TargetResponse } from './classify-response.ts';
import { isDocumentType, isPdfType } from './describe-content.ts';
import { noDocument } from './no-page.ts';

/** A navigation that did not lead to a document. */
export interface FailedNavigation {
  /** Chromium's error, such as `net::ERR_NAME_NOT_RESOLVED`. */
  readonly errorText: string;
  /** The URL asked for. */
  readonly url: string;
  /** The URL that could not be loaded, after redirects. */
  readonly documentUrl: string;
  /** The target's answer, if it sent one. */
  readonly answer: DocumentResponse | undefined;
  /** Failure of the unloaded URL, as recorded by the tab's proxy. */
  readonly proxyFailure: AppError | undefined;
}

interface Explanation {
  /** Matches the whole of Chromium's error, without `net::ERR_`. */
  readonly errors: RegExp;
  /** Predicate of a sentence about the site. */
  readonly problem: string;
  readonly suggestion?: string;
}

const CERTIFICATE_ADVICE =
  'Open the page in a browser, which will show a warning too. Only the owner of the site can fix this.';

/** Explanations of Chromium's errors (net/base/net_error_list.h); the first match counts. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    errors: /CERT_DATE_INVALID/,
    problem: 'has a TLS certificate that has expired or is not valid yet',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    errors: /CERT_COMMON_NAME_INVALID/,
    problem: 'has a TLS certificate for another host',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    errors: /CERT_.*/,
    problem: 'has a TLS certificate that cannot be verified',
    suggestion: CERTIFICATE_ADVICE,
  },
  { errors: /SSL_.*|BAD_SSL_.*/, problem: 'could not negotiate TLS with the browser' },
  {
    errors: /TOO_MANY_REDIRECTS/,
    problem: 'redirects too often, probably in a loop',
    suggestion: 'Open the page in a browser and scrape the URL where it ends; it may need cookies.',
  },
  {
    errors: /UNSAFE_REDIRECT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|INVALID_REDIRECT/,
    problem: 'redirects to a URL that is neither http nor https',
  },
  {
    errors: /EMPTY_RESPONSE|CONNECTION_(?:CLOSED|RESET|ABORTED)|CONTENT_LENGTH_MISMATCH|INCOMPLETE_.*/,
    problem: 'closed the connection before the response was complete',
  },
  {
    errors: /INVALID_(?:HTTP_)?RESPONSE|RESPONSE_HEADERS_.*|INVALID_CHUNKED_ENCODING/,
    problem: 'sent a response that is not valid HTTP',
  },
  {
    errors: /CONTENT_DECODING_.*/,
    problem: 'sent a body that cannot be decompressed as its Content-Encoding says',
  },
  { errors: /TIMED_OUT|CONNECTION_TIMED_OUT/, problem: 'did not respond in time' },
];

const UNKNOWN: Explanation = { errors: /.*/, problem: '' };

/**
 * Throws the reason why a navigation failed: the target's status where it sent nothing else, then what the proxy recorded,
 * then Chromium's own error.
 */
export function explainNavigation(
  { errorText, url, documentUrl, answer, proxyFailure }: FailedNavigation,
  policy: Pick<EgressPolicy, 'checkUrl'>,
): never {
  const error = errorText.replace(/^net::ERR_/, '');
  if (answer && error === 'HTTP_RESPONSE_CODE_FAILURE') {
    classifyResponse({ ...answer, html: '', body: Buffer.alloc(0) });
  }
  if (answer && error === 'ABORTED') throw notADocument(answer);
  if (proxyFailure?.code === 'INVALID_URL') throw blameRedirect(proxyFailure, documentUrl, url);
  // Chromium refuses some ports by itself, before the proxy can.
  const failure = proxyFailure ?? findRefusal(documentUrl, url, policy);
  if (failure) throw failure;
  const { problem, suggestion } =
    EXPLANATIONS.find(({ errors }) => new RegExp(`^(?:${errors.source})$`).test(error)) ?? UNKNOWN;
  throw new AppError('UPSTREAM_ERROR', {
    message: `Could not load ${quoteUrl(documentUrl)}${problem && `: the site ${problem}`} (${errorText}).`,
    ...(suggestion && { suggestion }),
    cause: Object.assign(new Error(errorText), { code: `ERR_${error}` }),
  });
}

/** Returns why the policy refuses a document's URL, which may be the one asked for or one that it led to. */
export function findRefusal(
  documentUrl: string,
  url: string,
  policy: Pick<EgressPolicy, 'checkUrl'>,
): AppError | undefined {
  if (!/^https?:/.test(documentUrl)) return undefined;
  try {
    policy.checkUrl(documentUrl);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return blameRedirect(error, documentUrl, url);
  }
}

/** Names the site that led to the refused URL, unless it is the URL asked for. */
function blameRedirect(refusal: AppError, documentUrl: string, url: string): AppError {
  if (documentUrl === url) return refusal;
  return new AppError('INVALID_URL', {
    message: `${quoteUrl(url)} redirects to a URL that is not allowed. ${refusal.message}`,
    suggestion: refusal.suggestion,
    source: 'target',
    cause: refusal,
  });
}

/** Response that a browser received and did not show. */
type UnshownAnswer = Pick<TargetResponse, 'url' | 'statusCode' | 'headers'>;

/** Statuses without a document, at which browsers keep the current page (RFC 9110 §15.3.5). */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205]);

/** Explains why a browser showed nothing of a complete response, and how to get its content. */
export function notADocument({ url, statusCode, headers }: UnshownAnswer): AppError {
  if (EMPTY_STATUSES.has(statusCode)) {
    return new AppError('UNSUPPORTED_CONTENT', {
      ...sentNothing(url, statusCode),
      targetStatusCode: statusCode,
    });
  }
  const contentType = headers['content-type'];
  const because = sentDownload(url, contentType, headers['content-disposition']);
  return noDocument(contentType, { ...because, targetStatusCode: statusCode });
}

function sentNothing(url: string, statusCode: number) {
  return {
    message: `${quoteUrl(url)} answered with status ${statusCode}, which has no page.`,
    suggestion: 'Scrape the page that calls this URL instead.',
  };
}

/** Returns the error for a download: a browser saves it; a plain fetch reads text. */
function sentDownload(url: string, contentType: string | undefined, disposition: string | undefined) {
  const type = contentType ? ` of type ${contentType}` : '';
  const isNamed = disposition !== undefined && /^\s*attachment\b/i.test(disposition);
  const reason = isNamed ? ' (Content-Disposition: attachment)' : '';
  return {
    message: `${quoteUrl(url)} is a download${type}${reason}, which a browser saves instead of showing a page.`,
    suggestion:
      isDocumentType(contentType) || isPdfType(contentType)
        ? 'Scrape it without render, waitFor and screenshot: a plain fetch reads PDFs, and downloads that are text.'
        : 'Scrape the HTML page that links to it instead.',
  };
}
