import { useQuery } from '@tanstack/react-query';
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
