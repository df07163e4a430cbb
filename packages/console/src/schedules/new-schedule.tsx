import type { CreateScheduleRequest } from '@gleaner/client';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { CreateForm } from '../forms/create-form.tsx';
import { EstimateNote } from '../forms/estimate-note.tsx';
import { PageFormFields, PageFormOptions, readPageForm, usePageForm } from '../forms/page-form-fields.tsx';
import { bindTo } from '../forms/problems.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { CronWords, NextRuns } from './next-runs.tsx';

const EVERY_HOUR = '0 * * * *';

/** A form that creates a schedule. */
export function NewSchedule() {
  const navigate = useNavigate();
  const { form, change } = usePageForm();
  const [cron, setCron] = useState(EVERY_HOUR);
  const [timezone, setTimezone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const create = useMutation({
    mutationFn: () => {
      const { request, urls } = readPageForm(form);
      const pages = urls.length > 1 ? { urls } : { url: urls[0] };
      return gleaner.schedules.create({
        ...request,
        ...pages,
        cron,
        timezone,
      } as CreateScheduleRequest);
    },
    onSuccess: ({ id }) => navigate({ to: '/schedules/$id', params: { id } }),
  });
  const { error } = create;
  const bind = bindTo(error);
  return (
    <>
      <PageHeader title="New schedule" above={<Link to="/schedules">Schedules</Link>} />
      <CreateForm label="New schedule" submit="Create the schedule" look="page" create={create}>
        <PageFormFields form={form} change={change} error={error} placeholder="Untitled schedule" rows={2} />
        <TextInput
          label="When"
          description="Minute, hour, day of the month, month, day of the week."
          {...bind('cron', cron, setCron)}
          required
        />
        <p aria-live="polite">
          <CronWords cron={cron} timezone={timezone} />
        </p>
        <TextInput label="Time zone" {...bind('timezone', timezone, setTimezone)} />
        <NextRuns cron={cron} timezone={timezone} />
        <PageFormOptions
          form={form}
          change={change}
          error={error}
          schema="CreateScheduleRequest"
          except={['cron', 'timezone']}
        />
        <EstimateNote form={form} each="a run" />
      </CreateForm>
    </>
  );
}
