import { PageHeader } from '../parts/page-header.tsx';

const LIMITS = [
  ['Log in', 'Pass the cookies or the Authorization header of a session that you opened in a browser.'],
  ['Click, type or scroll', 'Look for the URL behind “load more”: often ?page=2, or a JSON address.'],
  ['Send POST in a browser', 'Send it without render: ask the address behind the form.'],
  ['Solve captchas', '“Anti bot” passes checks that let a browser through by themselves, and no puzzles.'],
  ['Run your scripts in a page', 'Extract the nearest text or HTML, and go on in your own code.'],
  ['Read images, audio or video', 'Keep them with “Download”, and read them with another program.'],
  ['Look into frames', 'Scrape the address of the frame.'],
  ['Store files for good', 'Files, screenshots and snapshots expire; save what you need.'],
  ['Search the web', 'Start from URLs: crawl a site, or read its sitemap.'],
  ['Reach private addresses', 'The operator can name them in EGRESS_ALLOW.'],
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
