import type { CreateScheduleRequest } from '@gleaner/client';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { takeOver } from '../forms/hand-over.ts';
import { draftOf, requestOf } from '../forms/page-draft.ts';
import { PageFields } from '../forms/page-fields.tsx';
import { problemAt } from '../forms/problems.ts';
import { urlsIn } from '../forms/urls-in.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { CronWords } from './cron-words.tsx';
import { NextRuns } from './next-runs.tsx';

const EVERY_HOUR = '0 * * * *';

/** A form that creates a schedule. */
export function NewSchedule() {
  const [start] = useState(() => takeOver() ?? {});
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [urls, setUrls] = useState(() =>
    [start.url, ...((start.urls as string[]) ?? [])].filter(Boolean).join('\n'),
  );
  const [cron, setCron] = useState(EVERY_HOUR);
  const [timezone, setTimezone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [draft, setDraft] = useState(() => draftOf(start));
  const create = useMutation({
    mutationFn: () => {
      const [first, ...others] = urlsIn(urls);
      const pages = others.length > 0 ? { urls: [first, ...others] } : { url: first };
      const body = {
        ...requestOf(draft),
        ...pages,
        cron,
        timezone,
        ...(name.trim() && { name: name.trim() }),
      };
      return gleaner.schedules.create(body as CreateScheduleRequest);
    },
    onSuccess: ({ id }) => navigate({ to: '/schedules/$id', params: { id } }),
  });
  return (
    <>
      <PageHeader title="New schedule" above={<Link to="/schedules">Schedules</Link>} />
      <form
        className="card stack"
        style={{ maxWidth: 720 }}
        aria-label="New schedule"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextInput
          label="Name"
          placeholder="Untitled schedule"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problemAt(create.error, 'name')}
        />
        <Textarea
          label="URLs"
          description="One on each line."
          placeholder="https://example.com/"
          value={urls}
          onChange={(event) => setUrls(event.currentTarget.value)}
          error={problemAt(create.error, 'url') ?? problemAt(create.error, 'urls')}
          rows={2}
          required
          withAsterisk={false}
        />
        <TextInput
          label="When"
          description="Minute, hour, day of the month, month, day of the week."
          value={cron}
          onChange={(event) => setCron(event.currentTarget.value)}
          error={problemAt(create.error, 'cron')}
          required
          withAsterisk={false}
        />
        <p aria-live="polite">
          <CronWords cron={cron} timezone={timezone} />
        </p>
        <TextInput
          label="Time zone"
          value={timezone}
          onChange={(event) => setTimezone(event.currentTarget.value)}
          error={problemAt(create.error, 'timezone')}
        />
        <NextRuns cron={cron} timezone={timezone} />
        <PageFields
          draft={draft}
          schema="CreateScheduleRequest"
          except={['url', 'urls', 'name', 'cron', 'timezone']}
          error={create.error}
          onChange={setDraft}
        />
        {create.error && <ErrorPanel error={create.error} />}
        <div>
          <Button type="submit" loading={create.isPending}>
            Create the schedule
          </Button>
        </div>
      </form>
    </>
  );
}
