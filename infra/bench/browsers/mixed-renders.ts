/** A scrape that must succeed: its page on the origin of the test-kit, and its options. */
export interface MixedRender {
  readonly path: string;
  readonly options: object;
}

const SCRIPTED = `/type?as=text/html&hex=${hex(`<h1>before</h1><img src="/type?as=image/gif">
  <script>document.querySelector('h1').textContent = 'after';
  setTimeout(() => document.body.append(Object.assign(document.createElement('p'), { className: 'late' })), 100)</script>`)}`;
const TALL = `/type?as=text/html&hex=${hex('<body style="background:linear-gradient(#08f,#fff)"><div style="height:5000px">tall</div>')}`;
const KEEPER = `/type?as=text/html&hex=${hex(`<h1>x</h1><script>document.cookie = 'a=1'; localStorage.a = 1; indexedDB.open('a');
  caches.open('a').then((cache) => cache.add('/'))</script>`)}`;

/** One scrape of each kind, used in turn. */
export const MIXED_RENDERS: readonly MixedRender[] = [
  { path: '/', options: { render: true, selectors: { heading: 'h1', prices: '.price::text::all' } } },
  { path: SCRIPTED, options: { waitFor: '.late', selectors: { heading: 'h1' } } },
  { path: SCRIPTED, options: { render: true, waitFor: 200 } },
  { path: SCRIPTED, options: { screenshot: true } },
  { path: TALL, options: { screenshot: true, selectors: { text: 'div' } } },
  {
    path: '/echo',
    options: { render: true, headers: { 'X-Test': 'yes' }, cookies: [{ name: 'a', value: 'b' }] },
  },
  { path: KEEPER, options: { render: true, selectors: { heading: 'h1' } } },
  { path: '/redirect-times/3', options: { render: true } },
];

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}
