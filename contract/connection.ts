import { z } from 'zod';

/**
 * The test of a connection to an outside party: its steps in their order, up to the first that fails. `name` is the
 * step, which the web has words for. `text` is an English sentence: what was found, or what is wrong.
 */
export const connectionTest = z.object({
  steps: z.array(z.object({ name: z.string(), ok: z.boolean(), text: z.string() })),
});
export type ConnectionStep = z.infer<typeof connectionTest>['steps'][number];
