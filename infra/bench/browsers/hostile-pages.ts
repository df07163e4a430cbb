/** A hostile page and the acceptable outcomes of its scrape. */
export interface HostilePage {
  readonly name: string;
  /** Its path on the origin of the test-kit. */
  readonly path: string;
  readonly outcomes: readonly string[];
  readonly options?: object;
}

/** Addresses that no page may reach, in every spelling. */
const PRIVATE_HOSTS = [
  'http://127.0.0.1:1/',
  'http://localhost:1/',
  'http://0.0.0.0:1/',
  'http://[::1]:1/',
  'http://2130706433:1/',
  'http://0x7f000001:1/',
  'http://127.1:1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/',
  'http://[::ffff:169.254.169.254]/',
  'http://10.0.0.1/',
  'http://192.168.0.1/',
];

const TIME_OR_MEMORY = ['TIMEOUT', 'UPSTREAM_ERROR'];

/** All known kinds of hostile pages. */
export const HOSTILE_PAGES: readonly HostilePage[] = [
  { name: 'infinite loop', path: script('for (;;) {}'), outcomes: ['TIMEOUT'] },
  {
    name: 'loop after it has loaded',
    path: script('setTimeout(() => { for (;;) {} }, 50)'),
    outcomes: ['TIMEOUT'],
  },
  { name: 'alert storm', path: script('for (;;) alert(1)'), outcomes: ['TIMEOUT'] },
  {
    name: 'popup storm',
    path: script('setInterval(() => { for (let i = 0; i < 50; i++) open("/") }, 1)'),
    outcomes: ['success'],
  },
  {
    name: 'endless navigation',
    path: script(
      'const { searchParams: q } = new URL(location); q.set("n", Math.random()); location.search = q',
    ),
    outcomes: TIME_OR_MEMORY,
  },
  {
    name: 'heap hog, which crashes its tab',
    path: script('const a = []; for (;;) a.push(new Array(1e6).fill(0.5 + a.length))'),
    outcomes: TIME_OR_MEMORY,
  },
  {
    name: 'buffer hog',
    path: script(
      'const a = []; setInterval(() => a.push(new Uint8Array(2e7).fill(1)), 5); fetch("/stall/before-headers")',
    ),
    outcomes: TIME_OR_MEMORY,
  },
  {
    name: 'huge DOM',
    path: script(
      'const p = document.body; for (let i = 0; i < 4e5; i++) p.append(Object.assign(document.createElement("p"), { textContent: "one of too many" }))',
    ),
    outcomes: ['UNSUPPORTED_CONTENT', ...TIME_OR_MEMORY],
  },
  {
    name: 'huge comment',
    path: script('document.body.append(document.createComment("x".repeat(2e7)))'),
    outcomes: ['UNSUPPORTED_CONTENT'],
  },
  { name: 'download', path: '/type?as=application/octet-stream&hex=00ff', outcomes: ['UNSUPPORTED_CONTENT'] },
  {
    name: 'download by script',
    path: script('location.href = "/type?as=application/zip&hex=504b0304"'),
    outcomes: ['success'],
  },
  {
    name: 'service worker',
    path: script(
      `navigator.serviceWorker.register('/type?as=text/javascript&hex=${hex('onfetch = (e) => e.respondWith(new Response("<h1>mine</h1>"))')}', { scope: '/type' })`,
    ),
    outcomes: ['success'],
  },
  {
    name: 'private addresses',
    path: script(
      `Promise.all(${JSON.stringify(PRIVATE_HOSTS)}.map((url) => fetch(url, { mode: 'no-cors' }).then(() => url, () => ''))).then((all) => { document.querySelector('h1').textContent = 'reached ' + all.join('') })`,
    ),
    outcomes: ['success'],
    options: { waitFor: 500 },
  },
  {
    name: 'redirect to metadata',
    path: '/redirect/302?to=http://169.254.169.254/latest/',
    outcomes: ['INVALID_URL'],
  },
  { name: 'selector that never appears', path: '/', outcomes: ['TIMEOUT'], options: { waitFor: '.never' } },
  { name: 'endless body', path: '/endless', outcomes: ['UNSUPPORTED_CONTENT', 'TIMEOUT'] },
  { name: 'a gibibyte in a few bytes', path: '/bomb/br', outcomes: ['UNSUPPORTED_CONTENT', 'TIMEOUT'] },
  {
    name: 'worker storm',
    path: script(`for (let i = 0; i < 200; i++) new Worker('data:text/javascript,for(;;){}')`),
    outcomes: ['success', ...TIME_OR_MEMORY],
  },
  {
    name: 'frames in frames',
    path: script(
      'if (location.href.length < 1e5) for (let i = 0; i < 3; i++) document.body.append(Object.assign(document.createElement("iframe"), { src: location.href + "&" + i }))',
    ),
    outcomes: ['success', ...TIME_OR_MEMORY, 'UNSUPPORTED_CONTENT'],
  },
  { name: 'closes itself', path: script('window.close()'), outcomes: ['success'] },
];

function script(text: string): string {
  return `/type?as=text/html&hex=${hex(`<h1>x</h1><script>${text}</script>`)}`;
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}
