import { PageHeader } from '../parts/page-header.tsx';

const LIMITS = [
  ['Click at coordinates', 'Name the element.'],
  [
    'Send POST in a browser, or in a crawl, by itself',
    'Fill in the form with actions, or ask the address behind it.',
  ],
  [
    'Solve captchas',
    '“Anti bot” passes checks that let a browser through by themselves, and no puzzles. Ask the site for access, or for an API.',
  ],
  [
    'Bring a language model',
    'The operator connects one, whose values are checked against the page; agents use their own by MCP.',
  ],
  ['Run scripts of yours in a page', 'Extract the nearest text or HTML, and go on in your own code.'],
  [
    'Read images, audio or video, or text in pictures',
    'Keep them with “Download”, and read them with another program.',
  ],
  ['Store files for good', 'Files, screenshots and snapshots expire: take them within their time.'],
  ['Ask search engines by itself', 'The operator sets a SearXNG; or list the URLs of a site.'],
  [
    'Ignore robots.txt in crawls by default',
    'Set robots to “ignore”, where the operator allows it and the site agrees.',
  ],
  ['Renew its browser by itself', 'gleaner doctor tells its age; install a newer one and set CHROMIUM_PATH.'],
  ['Reach private addresses by default', 'The operator names them in EGRESS_ALLOW.'],
  ['Promise “exactly once” for webhooks', 'Tell repeated deliveries apart by their webhook-id.'],
] as const;

/** Names what people look for in vain, with the next best way. */
export function Limits() {
  return (
    <>
      <PageHeader
        title="What Gleaner does not do"
        below="It requests pages, runs their JavaScript if you ask for it, and reads what is there."
      />
      <dl className="card stack">
        {LIMITS.map(([what, instead]) => (
          <div key={what}>
            <dt>
              <strong>{what}</strong>
            </dt>
            <dd className="muted">{instead}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
