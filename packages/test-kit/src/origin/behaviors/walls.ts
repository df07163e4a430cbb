import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';
import { BLOCK_PAGES } from './block-pages.ts';
import { WALL_CHECKS, type WallCheck } from './wall-checks.ts';

/** Pages behind the wall of a vendor; clients that pass the check of the path get in. */
export const WALL_ROUTES: readonly OriginRoute[] = [
  { path: '/wall/:vendor/:check', behavior: guard },
  { path: '/wall-report', behavior: (exchange) => sendHtml(exchange, page('Noted', '')) },
];

/** Checks that `/wall/:vendor/:check` knows. */
export const WALL_CHECK_NAMES: readonly string[] = Object.keys(WALL_CHECKS);

/** Returns the value that a script computes from the name of a check, as proof that it ran. */
const PROOF_COOKIE = 'wall-proof';

function guard(exchange: Exchange): void {
  const { params, response } = exchange;
  const check = WALL_CHECKS[params.check ?? ''];
  const blockPage = BLOCK_PAGES[params.vendor ?? ''];
  if (!check || !blockPage) throw new Error(`There is no wall ${params.vendor}/${params.check}.`);
  if (passes(check, exchange)) sendHtml(exchange, GOOD_PAGE);
  else {
    response.writeHead(blockPage.status, {
      'content-type': 'text/html; charset=UTF-8',
      ...blockPage.headers,
    });
    response.end(check.kind === 'script' ? blockPage.html + scriptOf(check.finds, exchange) : blockPage.html);
  }
}

const GOOD_PAGE = page('Behind the wall', '<h1>Behind the wall</h1><p class="price">19.90</p>');

function passes(check: WallCheck, exchange: Exchange): boolean {
  if (check.kind === 'request') return check.passes(exchange);
  return (exchange.request.headers.cookie ?? '').split('; ').includes(`${PROOF_COOKIE}=${proofOf(exchange)}`);
}

function proofOf({ params }: Exchange): string {
  return [...(params.check ?? '')].reverse().join('');
}

/** Reports the checks that failed; when none did, sets a cookie and reloads the page. */
function scriptOf(finds: string, { params }: Exchange): string {
  return `<script>
    setTimeout(async () => {
      const faults = await (async () => { ${finds} })().catch((fault) => [String(fault)]);
      await fetch('/wall-report?check=${params.check}&faults=' + encodeURIComponent(faults.join()));
      if (faults.length > 0) return;
      document.cookie = '${PROOF_COOKIE}=' + [...'${params.check}'].reverse().join('') + '; path=/; max-age=600';
      location.reload();
    }, 300);
  </script>`;
}
