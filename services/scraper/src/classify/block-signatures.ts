import { isHtml } from '../decode/content-type.ts';
import { type PageMachinery, SCANNED_CHARACTERS, scanMachinery } from './scan-machinery.ts';

/** Rule for a vendor's wall, by a mark that no other page has. */
export type BlockSignature = HeaderSignature | PageSignature;

interface HeaderSignature {
  readonly vendor: string;
  /** Public documentation or record of the mark. */
  readonly source: string;
  /** Name in lower case. */
  readonly header: string;
  readonly value: RegExp;
}

interface PageSignature {
  readonly vendor: string;
  readonly source: string;
  /** Text that every such wall contains; pages without it are not examined further. The shortest one bounds the speed of the search. */
  readonly mark: string;
  readonly matches: (page: PageMachinery) => boolean;
}

/** A page with only these elements shows nothing. */
const BARE_ELEMENTS: ReadonlySet<string> = new Set(['html', 'head', 'meta', 'script', 'body']);

/** Elements of Akamai's block page. */
const REFUSAL_ELEMENTS: ReadonlySet<string> = new Set(['html', 'head', 'title', 'body', 'h1', 'p']);

/** Elements of F5's block page, which shows only one sentence and a link. */
const REJECTION_ELEMENTS: ReadonlySet<string> = new Set([
  'html',
  'head',
  'title',
  'script',
  'body',
  'br',
  'a',
]);

/**
 * Signatures of all known walls. Each needs a mark in a header or in the page's own scripts, frames, forms and ids. Visible
 * words never suffice, because good pages quote them; nor do sensors, which good pages of protected sites carry too.
 */
export const BLOCK_SIGNATURES: readonly BlockSignature[] = [
  {
    vendor: 'Cloudflare',
    source:
      'https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/',
    header: 'cf-mitigated',
    value: /^challenge$/,
  },
  {
    // Good pages load /cdn-cgi/challenge-platform/ too; only a challenge sets its options first.
    vendor: 'Cloudflare',
    source: 'https://github.com/FlareSolverr/FlareSolverr',
    mark: '_cf_chl_opt',
    matches: (page) =>
      page.scripts.some((script) => /^\s*\(function\s*\(\)\s*\{\s*window\._cf_chl_opt\s*=/.test(script)),
  },
  {
    vendor: 'Cloudflare',
    source: 'https://github.com/FlareSolverr/FlareSolverr/issues/1574',
    mark: 'cf-error-details',
    matches: (page) =>
      page.ids.has('cf-error-details') &&
      /^Attention Required! \| Cloudflare$|used Cloudflare to restrict access$/.test(page.title),
  },
  {
    vendor: 'AWS WAF',
    source: 'https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html',
    header: 'x-amzn-waf-action',
    value: /^(?:challenge|captcha)$/,
  },
  {
    vendor: 'Vercel',
    source: 'https://github.com/microlinkhq/is-antibot/blob/master/src/providers.json',
    header: 'x-vercel-mitigated',
    value: /^(?:challenge|deny)$/,
  },
  {
    vendor: 'Akamai',
    source: 'https://github.com/stamparm/identYwaf (kona)',
    mark: 'Reference&#32;&#35;',
    matches: (page) => page.title === 'Access Denied',
  },
  {
    // The same page as a browser serializes it.
    vendor: 'Akamai',
    source: 'https://github.com/stamparm/identYwaf (kona)',
    mark: 'Reference #',
    matches: (page) =>
      page.title === 'Access Denied' && page.elements.every((name) => REFUSAL_ELEMENTS.has(name)),
  },
  {
    vendor: 'Akamai',
    source: 'https://github.com/germondai/trawl/pull/33',
    mark: 'sec-if-cpt-container',
    matches: (page) => page.ids.get('sec-if-cpt-container') === 'div',
  },
  {
    // URLs of good pages may have the same parameter; only the interstitial reloads itself with it.
    vendor: 'Akamai',
    source: 'https://github.com/X2-Consult/booklore (AmazonBookParserBotChallengeTest.java)',
    mark: 'bm-verify=',
    matches: (page) => page.refreshes.some((refresh) => /[?&;]bm-verify=/.test(refresh)),
  },
  {
    vendor: 'Amazon',
    source: 'https://github.com/darlopvil/SimpleAmazon-fork/issues/12',
    mark: '/errors/validateCaptcha',
    matches: (page) =>
      page.forms.some((action) => /^(?:https:\/\/[^/]+)?\/errors\/validatecaptcha(?:\?|$)/.test(action)),
  },
  {
    // The sensor comes from js.datadome.co; only the wall's script begins with the host of its captcha.
    vendor: 'DataDome',
    source: 'https://github.com/microlinkhq/is-antibot/blob/master/providers/datadome/failed.json',
    mark: 'captcha-delivery.com',
    matches: (page) =>
      page.scripts.some((script) => /^\s*var dd\s*=\s*\{/.test(script)) &&
      [...page.scripts, ...page.sources].some((text) => text.includes('captcha-delivery.com')),
  },
  {
    vendor: 'HUMAN (PerimeterX)',
    source:
      'https://github.com/PerimeterX/perimeterx-node-core/blob/master/lib/templates/block_template.mustache',
    mark: 'px-captcha',
    matches: (page) => page.description === 'px-captcha',
  },
  {
    // A customer's own block page. Good pages may have the sensor and a place for the captcha, but do not load it.
    vendor: 'HUMAN (PerimeterX)',
    source:
      'https://github.com/PerimeterX/perimeterx-nginx-plugin/tree/master/examples/Custom%20Block%20Page',
    mark: 'px-captcha',
    matches: (page) =>
      page.ids.has('px-captcha') &&
      page.scripts.some((script) => /^\s*window\._px[A-Z]/.test(script)) &&
      [...page.scripts, ...page.sources].some((text) => /\/(?:re)?captcha\.js\b/.test(text)),
  },
  {
    // Good pages load the same resource as a script; only the wall frames it.
    vendor: 'Imperva',
    source: 'https://docs.imperva.com (error pages: "Request unsuccessful. Incapsula incident ID")',
    mark: '_Incapsula_Resource',
    matches: (page) => page.frames.some((source) => /^\/_incapsula_resource\?[a-z]wudnsai=/.test(source)),
  },
  {
    // The challenge consists of that script only.
    vendor: 'Imperva',
    source: 'https://github.com/microlinkhq/is-antibot/blob/master/providers/imperva/failed.json',
    mark: '_Incapsula_Resource',
    matches: (page) =>
      page.sources.some((source) => /^\/_incapsula_resource\?swjiylwa=/.test(source)) &&
      page.elements.every((name) => BARE_ELEMENTS.has(name)),
  },
  {
    // Sites choose the words; the reload as soon as there is a new token is Imperva's.
    vendor: 'Imperva',
    source: 'https://github.com/daijro/camoufox/issues/90',
    mark: 'window.onProtectionInitialized',
    matches: (page) =>
      page.scripts.some(
        (script) =>
          /^\s*window\.onProtectionInitialized\s*=\s*function\b/.test(script) &&
          /\bwindow\.reeseSkipExpirationCheck\s*=\s*true\b/.test(script),
      ),
  },
  {
    vendor: 'Sucuri',
    source: 'https://github.com/codemanki/cloudscraper/blob/master/test/fixtures/sucuri_waf_11_08_2019.html',
    mark: 'sucuri_cloudproxy_js',
    matches: (page) =>
      page.scripts.some((script) => /^\s*var s=\{\},[^;]*\bsucuri_cloudproxy_js=''/.test(script)),
  },
  {
    vendor: 'F5',
    source: 'https://github.com/EnableSecurity/wafw00f/blob/master/wafw00f/plugins/f5bigipasm.py',
    mark: 'The requested URL was rejected. Please consult with your administrator.',
    matches: (page) =>
      page.title === 'Request Rejected' && page.elements.every((name) => REJECTION_ELEMENTS.has(name)),
  },
  {
    // Its block pages have the element too, but empty.
    vendor: 'Anubis',
    source: 'https://github.com/TecharoHQ/anubis/blob/main/web/index.templ',
    mark: 'anubis_challenge',
    matches: (page) => page.ids.get('anubis_challenge') === 'script',
  },
  {
    vendor: 'Kasada',
    source: 'https://github.com/microlinkhq/is-antibot/issues/1 (window.KPSDK, then ips.js)',
    mark: 'window.KPSDK',
    matches: (page) =>
      page.scripts.some((script) => /^\s*window\.KPSDK\s*=\s*\{\}/.test(script)) &&
      page.sources.some((source) => /\/ips\.js(?:\?|$)/.test(source)),
  },
];

/** Rules out all marks in one pass, as for nearly every page. */
const ANY_MARK = new RegExp(
  BLOCK_SIGNATURES.flatMap((signature) => ('mark' in signature ? RegExp.escape(signature.mark) : [])).join(
    '|',
  ),
);

/**
 * Returns the vendor whose wall answered instead of the page; undefined for every other page. Only headers count for
 * content that is not shown as HTML: markup in JSON, texts and scripts is a quotation.
 */
export function findBlockingVendor(
  headers: Readonly<Record<string, string>>,
  html: string,
): string | undefined {
  const start = html.slice(0, SCANNED_CHARACTERS);
  const isMarked = ANY_MARK.test(start) && isHtml(start, headers['content-type']);
  let page: PageMachinery | undefined;
  const isMatch = (signature: BlockSignature) => {
    if ('header' in signature) return signature.value.test(headers[signature.header] ?? '');
    if (!isMarked || !start.includes(signature.mark)) return false;
    page ??= scanMachinery(start);
    return signature.matches(page);
  };
  return BLOCK_SIGNATURES.find(isMatch)?.vendor;
}
