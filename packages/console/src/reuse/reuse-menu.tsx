import type { ScrapeRequest } from '@gleaner/client';
import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { SERVICE_URL } from '../api/gleaner.ts';
import { handOver } from '../forms/hand-over.ts';
import { useAnnounce } from '../parts/feedback/notices.tsx';
import { useSession } from '../session/session.tsx';
import { crawlFrom, crawlOfList } from './crawl-from.ts';
import { renderClient, renderCommand, renderCurl, renderFirecrawl, renderPython } from './render-calls.ts';

const COPIES = [
  { label: 'Copy as curl', render: renderCurl },
  { label: 'Copy for the TypeScript client', render: renderClient },
  { label: 'Copy for the Python client', render: renderPython },
  { label: 'Copy for the command line', render: renderCommand },
  { label: 'Copy for Firecrawl’s SDK', render: renderFirecrawl },
  {
    label: 'Copy as JSON',
    render: (_url: string, request: ScrapeRequest) => JSON.stringify(request, null, 2),
  },
] as const;

/** Forms for the request, by view name, with the scope each needs. */
const FORMS = {
  playground: { label: 'Open in the playground', to: '/', of: asItIs, scope: 'scrape' },
  workbench: { label: 'Pick elements in the workbench', to: '/workbench', of: asItIs, scope: 'scrape' },
  job: { label: 'Create a job', to: '/jobs/new', of: asItIs, scope: 'jobs' },
  list: { label: 'Crawl this list, page by page', to: '/jobs/new', of: crawlOfList, scope: 'jobs' },
  crawl: { label: 'Crawl pages like this one', to: '/jobs/new', of: crawlFrom, scope: 'jobs' },
  schedule: { label: 'Create a schedule', to: '/schedules/new', of: asItIs, scope: 'schedules' },
} as const;

/** Ways to go on with a request elsewhere. */
export function ReuseMenu(props: {
  readonly label: string;
  readonly request: ScrapeRequest;
  readonly forms: readonly (keyof typeof FORMS)[];
  /** Selector of the link to the next page, for the crawl of a list. */
  readonly next?: string | undefined;
  readonly isPrimary?: boolean;
}) {
  const { label, request, forms, next, isPrimary = false } = props;
  const { may } = useSession();
  const offered = forms.filter((form) => may(FORMS[form].scope) && (form !== 'list' || next !== undefined));
  const announce = useAnnounce();
  const navigate = useNavigate();
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text);
    announce('Copied to the clipboard');
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant={isPrimary ? 'filled' : 'default'}>{label}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {COPIES.map(({ label: name, render }) => (
          <Menu.Item
            key={name}
            onClick={() => void copy(render(SERVICE_URL, request)).catch(() => announce('Copying failed'))}
          >
            {name}
          </Menu.Item>
        ))}
        {offered.length > 0 && <Menu.Divider />}
        {offered.map((form) => {
          const { label: name, to, of } = FORMS[form];
          return (
            <Menu.Item
              key={form}
              onClick={() => {
                handOver(of(request, next ?? ''));
                void navigate({ to }).catch(() => {});
              }}
            >
              {name}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function asItIs(request: ScrapeRequest): Readonly<Record<string, unknown>> {
  return { ...request };
}
