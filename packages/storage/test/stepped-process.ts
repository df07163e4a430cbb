/** Point at which a process is killed: before its next step, after it, or not now. */
export type Death = 'before' | 'after' | 'never';

/** Process that waits before each step until it is advanced. */
export interface SteppedProcess {
  /** Runs one step; returns false if the process has ended or was killed. Throws what the process threw. */
  advance(death: Death): Promise<boolean>;
}

interface WaitingStep {
  run(): Promise<unknown>;
  resolve(result: unknown): void;
}

type Step = (...parameters: never[]) => Promise<unknown>;

/** Starts a program on steps that wait; a killed one never receives the result of its step, as after kill -9. */
export function startStepped<Steps extends object>(
  steps: Steps,
  program: (stepped: Steps) => Promise<void>,
): SteppedProcess {
  let arrival = Promise.withResolvers<WaitingStep | null>();

  const waiting =
    (step: Step) =>
    (...parameters: never[]) =>
      new Promise((resolve) => arrival.resolve({ run: () => step(...parameters), resolve }));
  const stepped = Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, waiting(step as Step)]),
  );

  program(stepped as Steps).then(
    () => arrival.resolve(null),
    (error: unknown) => arrival.reject(error),
  );

  return {
    async advance(death) {
      const step = await arrival.promise;
      if (!step || death === 'before') return false;
      const result = await step.run();
      if (death === 'after') return false;
      arrival = Promise.withResolvers();
      step.resolve(result);
      return true;
    },
  };
}
