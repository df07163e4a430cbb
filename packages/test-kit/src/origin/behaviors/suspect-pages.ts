import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** A page with status 200, and the expected verdict on a plain fetch of it. */
export interface LabeledPage {
  /** Path of the origin. */
  readonly path: string;
  readonly page: 'content' | 'wall' | 'login' | 'consent' | 'notFound' | 'shell' | 'empty' | 'notice';
  readonly basis: 'observed' | 'inferred';
  /** The signal that decides; absent for content. */
  readonly code?: string;
}

interface SuspectPage extends Omit<LabeledPage, 'path'> {
  readonly html: string;
}

const NAVIGATION = `<nav>${['Kettles', 'Teapots', 'Cups', 'Trays', 'Offers', 'Stores', 'Help', 'Account']
  .map((name) => `<a href="/${name}">${name}</a>`)
  .join(' ')}</nav>`;
const FOOTER =
  '<footer><p>© 2026 An honest shop. All prices with tax.</p><a href="/imprint">Imprint</a></footer>';
const LOGIN_FORM = `<form method="post" action="/login"><label>User <input name="user" type="text"></label>
  <label>Password <input name="password" type="password"></label><button>Go</button></form>`;
const PARAGRAPH = `<p>${'A kettle boils water, and a good one does it quickly, quietly and for many years. '.repeat(6)}</p>`;
const ARTICLE = PARAGRAPH.repeat(6);

/** A page of the shop with what is around every page of it. */
function shopPage(title: string, body: string): string {
  return page(title, NAVIGATION + body + FOOTER);
}

const wall = (code: string, html: string): SuspectPage => ({ page: 'wall', basis: 'observed', code, html });
const login = (code: string, html: string): SuspectPage => ({ page: 'login', basis: 'observed', code, html });
const shell = (code: string, html: string): SuspectPage => ({ page: 'shell', basis: 'observed', code, html });
const marked = (html: string): SuspectPage => ({
  page: 'notFound',
  basis: 'observed',
  code: 'NOT_FOUND_MARK',
  html,
});
const named = (kind: SuspectPage['page'], code: string, title: string, body: string): SuspectPage => ({
  page: kind,
  basis: 'inferred',
  code,
  html: shopPage(title, body),
});
const content = (basis: SuspectPage['basis'], html: string): SuspectPage => ({
  page: 'content',
  basis,
  html,
});

/** The pages by name: pages sent instead of the requested one, and content that looks like them. */
const SUSPECT_PAGES: Readonly<Record<string, SuspectPage>> = {
  'recaptcha-page': wall(
    'CAPTCHA_WIDGET',
    page(
      'shop.example',
      `<form action="/check" method="post"><p>Our systems have seen many requests from your network.</p>
        <div class="g-recaptcha" data-sitekey="6Lc"></div><button>Continue</button></form>
        <script src="https://www.google.com/recaptcha/api.js"></script>`,
    ),
  ),
  'turnstile-page': wall(
    'CAPTCHA_WIDGET',
    shopPage(
      'An honest shop',
      '<h1>One more step</h1><div class="box cf-turnstile" data-sitekey="0x4"></div>',
    ),
  ),
  'hcaptcha-frame': wall(
    'CAPTCHA_WIDGET',
    page('shop.example', '<iframe src="https://newassets.hcaptcha.com/captcha/v1/x/hcaptcha.html"></iframe>'),
  ),
  'image-captcha': wall(
    'CAPTCHA_FIELD',
    page(
      'shop.example',
      '<form><p>Type the letters:</p><img src="/code.png"><input name="captcha_code"><button>OK</button></form>',
    ),
  ),
  'bare-login': login('PASSWORD_FORM', page('An honest shop', LOGIN_FORM)),
  'shop-login': login(
    'PASSWORD_FORM',
    shopPage(
      'Mon compte',
      `<h1>Connexion</h1>${PARAGRAPH}${LOGIN_FORM}<a href="/reset">Mot de passe oublié ?</a>`,
    ),
  ),
  'react-shell': shell(
    'NOSCRIPT_DEMAND',
    `<!doctype html><html><head><title>An honest shop</title><script defer src="/static/main.js"></script></head>
      <body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>`,
  ),
  'loading-shell': shell(
    'NOSCRIPT_DEMAND',
    `<!doctype html><title>Tienda</title><body><noscript>Por favor, activa <b>JavaScript</b> en tu navegador.</noscript>
      <div id="app"><img src="/spinner.gif">Cargando…</div><script src="/app.js"></script>`,
  ),
  'head-shell': shell(
    'NOSCRIPT_DEMAND',
    `<!doctype html><html><head><title>Shop</title><noscript>This shop needs JavaScript.</noscript>
      <script defer src="/app.js"></script></head><body><div id="app"></div></body></html>`,
  ),
  'bare-shell': {
    page: 'shell',
    basis: 'inferred',
    code: 'SCRIPTS_ONLY',
    html: '<!doctype html><title>Shop</title><div id="app"></div><script type="module" src="/app.js"></script>',
  },
  'wordpress-404': marked(
    `<!doctype html><html><head><title>Nothing here – An honest shop</title></head>
      <body class="home error404 wp-theme"><h1>Hm</h1><p>Perhaps a search helps?</p></body></html>`,
  ),
  'next-404': marked(
    '<!doctype html><html><head><meta name="robots" content="noindex"><meta name="next-error" content="not-found"></head><body><h1>Hm</h1></body></html>',
  ),
  'prerendered-410': marked(
    '<!doctype html><html><head><meta name="prerender-status-code" content="410"></head><body><h1>Hm</h1></body></html>',
  ),
  'soft-404': named(
    'notFound',
    'NOT_FOUND_WORDS',
    'Page not found | An honest shop',
    '<h1>Oops!</h1><p>What you are looking for is not here. Try the search.</p>',
  ),
  'soft-404-de': named(
    'notFound',
    'NOT_FOUND_WORDS',
    'An honest shop',
    '<h1>404</h1><h2>Seite nicht gefunden</h2><p>Die Adresse gibt es nicht mehr.</p>',
  ),
  'soft-404-ja': named(
    'notFound',
    'NOT_FOUND_WORDS',
    '店',
    '<h1>お探しのページは見つかりませんでした。</h1>',
  ),
  'sign-in-door': {
    page: 'login',
    basis: 'inferred',
    code: 'LOGIN_WORDS',
    html: page(
      'Anmelden',
      '<h1>Anmelden</h1><a href="https://id.example/start">Mit dem Firmenkonto weiter</a>',
    ),
  },
  'access-denied': named(
    'wall',
    'WALL_WORDS',
    'Access denied',
    '<h1>Access denied</h1><p>Error 1020, ray 8f.</p>',
  ),
  'consent-page': named(
    'consent',
    'CONSENT_WORDS',
    'Before you continue to YouTube',
    '<p>We use cookies.</p><button>Accept all</button><button>Reject all</button>',
  ),
  maintenance: named('notice', 'NOTICE_WORDS', 'Wartungsarbeiten', '<p>Wir sind um 6 Uhr zurück.</p>'),
  'nginx-default': named('notice', 'NOTICE_WORDS', 'Welcome to nginx!', '<h1>Welcome to nginx!</h1>'),
  blank: {
    page: 'empty',
    basis: 'observed',
    code: 'NO_CONTENT',
    html: '<!doctype html><title>Shop</title><body>',
  },
  'article-on-logins': content(
    'observed',
    page('Login', `<h1>Login forms</h1>${ARTICLE}<pre>&lt;input type="password"></pre>${LOGIN_FORM}`),
  ),
  'article-on-404': content('observed', page('404 Not Found', `<h1>404 Not Found</h1>${ARTICLE}`)),
  'article-with-captcha': content(
    'observed',
    page(
      'Captchas',
      `<h1>Captchas</h1>${ARTICLE}<div class="g-recaptcha"></div><form class="error404"></form>`,
    ),
  ),
  'article-in-shell': content(
    'observed',
    page(
      'Shop',
      `<noscript>Please enable JavaScript.</noscript><div id="root">${ARTICLE}</div><script>1</script>`,
    ),
  ),
  'contact-form': content(
    'inferred',
    shopPage(
      'Contact',
      '<form><input type="email" name="mail"><textarea name="text"></textarea><div class="h-captcha"></div></form>',
    ),
  ),
  'sign-up': content(
    'inferred',
    shopPage(
      'Create an account',
      `<form><input name="name"><input type="password"><input type="password"></form>`,
    ),
  ),
  'new-user': content(
    'inferred',
    page(
      'Users',
      '<p>All fields are required.<form><input name="name"><input type="email"><input type="password"></form>',
    ),
  ),
  'product-with-login': content(
    'inferred',
    shopPage(
      'Kettle K2',
      `${LOGIN_FORM}<h1>Kettle K2</h1><img src="/k2.jpg">${PARAGRAPH}<p class="price">19.90</p>`,
    ),
  ),
  'product-named-404': content('inferred', shopPage('Peugeot 404 brochure', '<h1>Peugeot 404 brochure</h1>')),
  gallery: content(
    'inferred',
    page('Kettles', '<img src="/1.jpg"><img src="/2.jpg"><script src="/x.js"></script>'),
  ),
  short: content('inferred', page('OK', '<p>OK</p><script src="/x.js"></script>')),
};

/** Redirects from pages to what sites send instead, by their names. */
const REDIRECTS: Readonly<
  Record<string, Omit<LabeledPage, 'path' | 'page' | 'basis'> & Pick<LabeledPage, 'page'>>
> = {
  '/users/sign_in': { page: 'login', code: 'LOGIN_REDIRECT' },
  '/wp-login.php': { page: 'login', code: 'LOGIN_REDIRECT' },
  '/not-found': { page: 'notFound', code: 'NOT_FOUND_REDIRECT' },
  '/errors/404.html': { page: 'notFound', code: 'NOT_FOUND_REDIRECT' },
  '/showcaptcha': { page: 'wall', code: 'WALL_REDIRECT' },
  '/cookie-consent': { page: 'consent', code: 'CONSENT_REDIRECT' },
};

export const SUSPECT_PAGE_ROUTES: readonly OriginRoute[] = [
  { path: '/suspect/:name', behavior: sendSuspect },
  ...Object.keys(REDIRECTS).flatMap((path, index) => [
    { path: `/asked/${index}`, behavior: ({ response }: Exchange) => sendTo(response, path) },
    { path, behavior: (exchange: Exchange) => sendHtml(exchange, shopPage('Shop', ARTICLE)) },
  ]),
];

/** The paths of all these pages, with what a plain fetch of them should be called. */
export const LABELED_PAGES: readonly LabeledPage[] = [
  ...Object.entries(SUSPECT_PAGES).map(([name, { html: _html, ...label }]) => ({
    path: `/suspect/${name}`,
    ...label,
  })),
  ...Object.values(REDIRECTS).map((label, index) => ({
    path: `/asked/${index}`,
    basis: 'observed' as const,
    ...label,
  })),
];

function sendSuspect(exchange: Exchange): void {
  sendHtml(exchange, suspectPage(exchange.params.name ?? ''));
}

/** Returns the HTML of a page below `/suspect/`. */
export function suspectPage(name: string): string {
  const suspect = SUSPECT_PAGES[name];
  if (!suspect) throw new Error(`There is no suspect page ${name}.`);
  return suspect.html;
}

function sendTo(response: Exchange['response'], path: string): void {
  response.writeHead(302, { location: `${path}?return=%2Flist` });
  response.end();
}
