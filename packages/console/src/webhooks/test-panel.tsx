import { withScheme } from '@gleaner/client';
import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { problemAt } from '../forms/problems.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { DeliveryAttempts } from './delivery-attempts.tsx';

/** Sends a signed test event to an endpoint. */
export function TestPanel() {
  const [url, setUrl] = useState('');
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => gleaner.webhooks.test(withScheme(url.trim())),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  return (
    <form
      className="card stack"
      aria-label="Test an endpoint"
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate();
      }}
    >
      <h2>Test an endpoint</h2>
      <TextInput
        label="URL"
        inputMode="url"
        placeholder="example.com/webhook"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={problemAt(test.error, 'url')}
        required
        withAsterisk={false}
      />
      <div>
        <Button type="submit" variant="default" loading={test.isPending}>
          Send a test
        </Button>
      </div>
      {test.error && <ErrorPanel error={test.error} />}
      {test.data && (
        <div className="stack-tight" aria-live="polite">
          <div>
            <StatusBadge status={test.data.status} />
          </div>
          <DeliveryAttempts delivery={test.data} />
        </div>
      )}
    </form>
  );
}
