import { useMutation, useQueryClient } from '@tanstack/react-query';

/** Returns a mutation; queries under the key are read again after it. */
export function useChange<Result, Input = void>(props: {
  /** First part of the keys of queries, such as `jobs`. */
  readonly key: string;
  change(input: Input): Promise<Result>;
  onDone?(result: Result): unknown;
  onError?(error: Error): void;
}) {
  const { key, change, onDone, onError } = props;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (result) => {
      await queries.invalidateQueries({ queryKey: [key] });
      await onDone?.(result);
    },
    ...(onError && { onError }),
  });
}
