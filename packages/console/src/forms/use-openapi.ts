import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { apiUrl } from '../api/gleaner.ts';

/** The parts of a JSON schema that forms are made of. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly (string | boolean)[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
  /** Value of an option that is not given; a `default` would make it required in the types of clients. */
  readonly 'x-default'?: unknown;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly example?: Record<string, unknown> } };
  };
}

/** Reads the description of the API that the service itself serves. */
export function useOpenApi() {
  return useQuery({
    queryKey: ['openapi'],
    queryFn: async ({ signal }): Promise<OpenApi> => {
      const response = await fetch(apiUrl('/openapi.json'), { signal });
      if (!response.ok) throw new Error(`The description of the API could not be read (${response.status}).`);
      return response.json();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the example body of an operation. */
export function exampleOf(openApi: OpenApi | undefined, path: string): Record<string, unknown> | undefined {
  return openApi?.paths[path]?.post?.requestBody?.content['application/json'].example;
}

/**
 * Hands over the example body of an operation, unless the form is in use by then: a reader would type into the middle of the
 * example. Returns what the form calls when it gets the focus.
 */
export function useExample(path: string, onExample: (example: Record<string, unknown>) => void): () => void {
  const { data: openApi } = useOpenApi();
  const isInUse = useRef(false);
  const take = useEffectEvent(onExample);
  useEffect(() => {
    const example = exampleOf(openApi, path);
    if (example && !isInUse.current) take(example);
  }, [openApi, path]);
  return () => {
    isInUse.current = true;
  };
}
