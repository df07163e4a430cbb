import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** One product under the consent layers of several vendors, which note the visitor's answer in `#answers`. */
export const CONSENT_PAGE_ROUTES: readonly OriginRoute[] = [
  { path: '/consent/message/:id', behavior: (exchange) => sendHtml(exchange, MESSAGE) },
  { path: '/consent/:layer', behavior: sendConsent },
];

const ASK = 'We and our partners use cookies to personalise content. Do you accept all cookies?';
const COVER = 'style="position:fixed;inset:0;z-index:9999;background:#fff"';

/** The product under a layer; `script` sees `answer` and `shut`. */
function under(layer: string, script = ''): string {
  return page(
    'Kettle',
    `<main><h1>Kettle</h1><p>Boils water.</p></main><p id=answers></p>
    <script>const answer = (text) => { document.querySelector('#answers').textContent += text + ' '; };
    const shut = (css, text) => { document.querySelector(css).style.display = 'none'; answer(text); };</script>
    ${layer}<script>${script}</script>`,
  );
}

const button = (attributes: string, code: string, words: string) =>
  `<button ${attributes} onclick="${code}">${words}</button>`;

/** The document in the frame of a layer. */
const MESSAGE = page(
  'Message',
  `${ASK}<script>history.replaceState(null, '', '/index.html?message_id=7')</script>
  ${button('class=sp_choice_type_11', "parent.postMessage('yes','*')", 'Accept')}
  ${button('class=sp_choice_type_13', "parent.postMessage('no','*')", 'Reject')}`,
);

/** The pages by their layers. */
const CONSENT_PAGES = {
  onetrust: under(`<div id=onetrust-consent-sdk><div id=onetrust-banner-sdk ${COVER}>${ASK}
    ${button('id=onetrust-reject-all-handler', "shut('#onetrust-consent-sdk','no')", 'Reject')}
    ${button('id=onetrust-accept-btn-handler', "shut('#onetrust-consent-sdk','yes')", 'Accept')}</div></div>`),
  cookiebot: under(
    `<div id=CybotCookiebotDialog ${COVER}>${ASK}
    ${button('id=CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll', "end('no')", 'Deny')}
    ${button('id=CybotCookiebotDialogBodyButtonAccept', "end('yes')", 'Allow')}</div>`,
    `window.Cookiebot = { hasResponse: false, dialog: { visible: true } };
    const end = (text) => { Cookiebot.hasResponse = true; shut('#CybotCookiebotDialog', text); };`,
  ),
  usercentrics: under(
    '<div id=usercentrics-root></div>',
    `const root = document.querySelector('#usercentrics-root').attachShadow({ mode: 'open' });
    root.innerHTML = ${JSON.stringify(`<div data-testid=uc-container ${COVER}>${ASK}
      <button data-testid=uc-deny-all-button>Deny</button><button data-testid=uc-accept-all-button>Accept</button></div>`)};
    const end = (text) => shut('#usercentrics-root', text);
    root.querySelector('button').onclick = () => end('no');
    window.UC_UI = { acceptAllConsents: () => { end('yes'); return true; }, closeCMP: () => true, areAllConsentsAccepted: () => true };`,
  ),
  didomi: under(
    `<div id=didomi-host><div id=didomi-notice ${COVER}>${ASK}
    ${button('id=didomi-notice-agree-button', "shut('#didomi-notice','yes')", 'Agree')}</div></div>`,
    `window.Didomi = { setUserDisagreeToAll() {
      setTimeout(() => { document.querySelector('#didomi-host').setAttribute('aria-hidden', 'true'); shut('#didomi-notice', 'no'); });
    } };
    new MutationObserver(() => document.querySelector('#didomi-host').setAttribute('aria-hidden', 'true'))
      .observe(document.querySelector('#didomi-notice'), { attributes: true });`,
  ),
  quantcast:
    under(`<div id=qc-cmp2-container><div id=qc-cmp2-ui ${COVER}>${ASK}<div class=qc-cmp2-summary-buttons>
    ${button('mode=secondary', 'answer(`more`)', 'More')}
    ${button('mode=secondary', "shut('#qc-cmp2-container','no')", 'Reject')}
    ${button('mode=primary', "shut('#qc-cmp2-container','yes')", 'Agree')}</div></div></div>`),
  sourcepoint: under(
    `<div id=sp_message_container_7 ${COVER}><iframe style="width:100%;height:100%" src="/consent/message/7"></iframe></div>`,
    `addEventListener('message', ({ data }) => { document.querySelector('#sp_message_container_7').remove(); answer(data); });`,
  ),
  homemade:
    under(`<div class=veil ${COVER}></div><div class=x style="position:fixed;bottom:0;z-index:10000">${ASK}
    ${button('', "shut('.x','no');shut('.veil','')", 'Reject all')}
    ${button('', "shut('.x','yes');shut('.veil','')", 'Accept all')}</div>`),
  stubborn: under(`<div id=onetrust-banner-sdk ${COVER}>${ASK}
    ${button('id=onetrust-accept-btn-handler', "answer('again')", 'Accept')}</div>`),
  'closed-shadow': under(
    '<div id=host></div>',
    `document.querySelector('#host').attachShadow({ mode: 'closed' })
      .innerHTML = '<div ${COVER}>${ASK}<button>Accept all</button></div>';`,
  ),
  bar: under(`<div style="position:fixed;bottom:0;left:0;right:0;z-index:9999;background:#fff">${ASK}
    ${button('', "shut('div','yes')", 'Accept all')}</div>`),
  'many-words': under(
    `<p>${'A good kettle boils water quickly. '.repeat(80)}</p><div class=x ${COVER}>${ASK}${button('', "shut('.x','yes')", 'OK')}</div>`,
  ),
  app: page(
    'Kettle',
    `<div style="position:fixed;inset:0;overflow:auto"><nav><a href="/">Home</a></nav><h1>Kettle</h1><p>${'It boils water. '.repeat(30)}</p>
    <footer><a href="/cookies">Cookies</a></footer></div>`,
  ),
  bare: under(''),
  none: under('<p>Cookies are baked here.</p>'),
  dialog: under(`<div role=dialog ${COVER}>Choose a size<button>Accept</button></div>`),
} as const satisfies Readonly<Record<string, string>>;

/** A page under `/consent/`. */
export type ConsentPageName = keyof typeof CONSENT_PAGES;

/** Pages under the layer of a vendor, or of the site itself, which can be dismissed. */
export const CONSENT_VENDORS = [
  'onetrust',
  'cookiebot',
  'usercentrics',
  'didomi',
  'quantcast',
  'homemade',
] as const satisfies readonly ConsentPageName[];

function sendConsent(exchange: Exchange): void {
  const html = CONSENT_PAGES[exchange.params.layer as ConsentPageName];
  if (html === undefined) throw new Error(`There is no consent layer ${exchange.params.layer}.`);
  sendHtml(exchange, html);
}
