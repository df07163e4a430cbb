import type { ScrapeRequest } from '@gleaner/client';
import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { SERVICE_URL } from '../api/gleaner.ts';
import { handOver } from '../forms/hand-over.ts';
import { useAnnounce } from '../parts/feedback/notices.tsx';
import { renderClient, renderCommand, renderCurl } from './render-calls.ts';

const FORMS = [
  { label: 'Copy as curl', render: renderCurl },
  { label: 'Copy for the TypeScript client', render: renderClient },
  { label: 'Copy for the command line', render: renderCommand },
] as const;

const TARGETS = [
  { label: 'Make a job of it', to: '/jobs/new' },
  { label: 'Make a schedule of it', to: '/schedules/new' },
] as const;

/** Ways to go on with a request elsewhere. */
export function CopyAs({ request }: { readonly request: ScrapeRequest }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text);
    announce('Copied to the clipboard');
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default">Use it elsewhere</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMS.map(({ label, render }) => (
          <Menu.Item
            key={label}
            onClick={() => void copy(render(SERVICE_URL, request)).catch(() => announce('Copying failed'))}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {TARGETS.map(({ label, to }) => (
          <Menu.Item
            key={to}
            onClick={() => {
              handOver({ ...request });
              void navigate({ to }).catch(() => {});
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
