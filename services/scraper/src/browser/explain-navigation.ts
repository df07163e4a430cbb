import { AppError } from '@gleaner/contracts';
import type { EgressPolicy } from '@gleaner/egress';
import { classifyResponse } from '../classify/classify-response.ts';
import { notADocument } from './not-a-document.ts';
import type { Tab } from './open-tab.ts';
import type { PageWatch } from './page-watch.ts';

/** What is known of a navigation. */
export interface NavigationContext {
  readonly tab: Tab;
  readonly watch: PageWatch;
  readonly policy: Pick<EgressPolicy, 'checkUrl'>;
}

interface Explanation {
  /** Matched against the whole of Chromium's error, without `net::ERR_`. */
  readonly errors: RegExp;
  /** Follows the host's name. */
  readonly says: string;
  readonly suggestion?: string;
}

const CERTIFICATE_ADVICE =
  'Open the page in a browser: it will warn too. Only the owner of the site can repair it.';

/** Chromium's errors (net/base/net_error_list.h) in the caller's words; the first match counts. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    errors: /CERT_DATE_INVALID/,
    says: 'has a TLS certificate that has expired or is not valid yet',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    errors: /CERT_COMMON_NAME_INVALID/,
    says: 'has a TLS certificate for another host',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    errors: /CERT_.*/,
    says: 'has a TLS certificate that cannot be verified',
    suggestion: CERTIFICATE_ADVICE,
  },
  { errors: /SSL_.*|BAD_SSL_.*/, says: 'could not agree on TLS with the browser' },
  {
    errors: /TOO_MANY_REDIRECTS/,
    says: 'redirects too often, probably in a loop',
    suggestion: 'Open the page in a browser and give the URL where it ends; it may need cookies.',
  },
  {
    errors: /UNSAFE_REDIRECT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|INVALID_REDIRECT/,
    says: 'redirects to something that is neither http nor https',
  },
  {
    errors: /EMPTY_RESPONSE|CONNECTION_(?:CLOSED|RESET|ABORTED)|CONTENT_LENGTH_MISMATCH|INCOMPLETE_.*/,
    says: 'closed the connection before the answer was complete',
  },
  {
    errors: /INVALID_(?:HTTP_)?RESPONSE|RESPONSE_HEADERS_.*|INVALID_CHUNKED_ENCODING/,
    says: 'answered with something that is not valid HTTP',
  },
  {
    errors: /CONTENT_DECODING_.*/,
    says: 'sent a body that does not decompress as its Content-Encoding says',
  },
  { errors: /TIMED_OUT|CONNECTION_TIMED_OUT/, says: 'did not answer in time' },
];

const UNKNOWN: Explanation = { errors: /.*/, says: 'could not be loaded' };

/**
 * Throws why a navigation came to nothing: the target's status where it sent nothing else, then what the proxy knows, then
 * what Chromium saw of it.
 */
export function explainNavigation(
  errorText: string,
  url: string,
  { tab, watch, policy }: NavigationContext,
): never {
  const lastUrl = watch.documentUrl ?? url;
  const { lastAnswer: answer } = watch;
  const error = errorText.replace(/^net::ERR_/, '');
  if (answer && error === 'HTTP_RESPONSE_CODE_FAILURE') {
    classifyResponse({ ...answer, html: '', body: Buffer.alloc(0) });
  }
  if (answer && error === 'ABORTED') throw notADocument(answer);
  const known = tab.proxy.failureOf(lastUrl) ?? refusalOf(lastUrl, policy);
  if (known) throw known.code === 'INVALID_URL' && lastUrl !== url ? blameRedirect(known, url) : known;
  const { says, suggestion } =
    EXPLANATIONS.find(({ errors }) => new RegExp(`^(?:${errors.source})$`).test(error)) ?? UNKNOWN;
  throw new AppError('UPSTREAM_ERROR', {
    message: `${hostOf(lastUrl)} ${says} (${errorText}).`,
    ...(suggestion && { suggestion }),
    cause: Object.assign(new Error(errorText), { code: `ERR_${error}` }),
  });
}

/** Chromium refuses some ports by itself, before the proxy could. */
function refusalOf(url: string, policy: Pick<EgressPolicy, 'checkUrl'>): AppError | undefined {
  try {
    policy.checkUrl(url);
    return undefined;
  } catch (refusal) {
    return refusal instanceof AppError && /^https?:/.test(url) ? refusal : undefined;
  }
}

function blameRedirect(refusal: AppError, from: string): AppError {
  return new AppError('INVALID_URL', {
    message: `${hostOf(from)} redirects to a URL that is refused. ${refusal.message}`,
    suggestion: refusal.suggestion,
    source: 'target',
    cause: refusal,
  });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'The site';
}
