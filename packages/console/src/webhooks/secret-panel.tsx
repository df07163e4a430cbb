import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { CodeBlock, CopyText } from '../parts/data/code-block.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { Time } from '../parts/marks/time.tsx';

const SECRET_QUERY = ['webhook-secret'] as const;

const VERIFY = `import { verifyWebhook } from '@gleaner/client';

const event = await verifyWebhook(body, headers, process.env.WEBHOOK_SECRET);`;

/** The secret that signs deliveries, on request, and how to check a signature. */
export function SecretPanel() {
  const [isShown, setShown] = useState(false);
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: SECRET_QUERY,
    queryFn: ({ signal }) => gleaner.webhooks.secret({ signal }),
    enabled: isShown,
  });
  return (
    <section className="card stack" aria-label="Signing secret">
      <h2>Signing secret</h2>
      <p className="muted small">Every delivery is signed as Standard Webhooks defines. Verify it with:</p>
      <CodeBlock label="Verification" text={VERIFY} />
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {isShown && data && (
        <div className="stack-tight">
          <code style={{ overflowWrap: 'anywhere' }}>{data.secret}</code>
          <span className="row">
            <CopyText text={data.secret} label="Copy the secret" />
            {data.previousValidUntil && (
              <span className="muted small">
                The previous secret also signs until <Time at={data.previousValidUntil} />.
              </span>
            )}
          </span>
        </div>
      )}
      <div className="row">
        <Button size="xs" variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the secret' : 'Show the secret'}
        </Button>
        <ConfirmButton
          label="Rotate"
          question="A new secret signs from now on. For one day, deliveries carry both signatures, so that you can update your endpoints."
          confirm="Rotate the secret"
          changes="webhook-secret"
          action={async () => queries.setQueryData(SECRET_QUERY, await gleaner.webhooks.rotateSecret())}
          onDone={() => setShown(true)}
        />
      </div>
    </section>
  );
}
