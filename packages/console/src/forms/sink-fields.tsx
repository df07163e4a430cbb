import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import styles from './forms.module.css';
import { OptionFields } from './option-fields.tsx';
import { problemAt } from './problems.ts';
import { useOpenApi } from './use-openapi.ts';

type Sink = Readonly<Record<string, unknown>>;

/** The bucket that the results are written to, with the format and the folder; nothing for accounts without one. */
export function SinkFields(props: {
  readonly sink: unknown;
  readonly error: unknown;
  onChange(sink: Sink | undefined): void;
}) {
  const { error, onChange } = props;
  const sink = props.sink as Sink | undefined;
  const { data: openApi } = useOpenApi();
  const { data: sinks = [] } = useQuery({
    queryKey: ['sinks'],
    queryFn: ({ signal }) => gleaner.jobs.sinks({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const names = new Set([...sinks.map(({ name }) => name), ...(sink ? [String(sink.name)] : [])]);
  if (names.size === 0) return null;
  const change = (options: Sink) => {
    const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== '');
    onChange(Object.fromEntries(given));
  };
  return (
    <div>
      <NativeSelect
        label="Sink"
        description="Writes the results to a bucket once the job has finished."
        data={[{ value: '', label: 'none' }, ...names]}
        value={String(sink?.name ?? '')}
        onChange={({ currentTarget: { value: name } }) => onChange(name ? { ...sink, name } : undefined)}
        error={problemAt(error, 'sink.name') ?? (sink ? undefined : problemAt(error, 'sink'))}
      />
      {sink && (
        <fieldset className={styles.more} aria-label="Sink options">
          <OptionFields
            schema={openApi?.components.schemas.SinkOptions}
            only={['format', 'key', 'rows']}
            path="sink"
            values={sink}
            error={error}
            onChange={change}
          />
        </fieldset>
      )}
    </div>
  );
}
