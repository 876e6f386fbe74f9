import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Who the operators are, so that a screen can name them. */

export const readOperators = endpoint({
  method: 'GET',
  path: '/api/admin/operators',
  summary: 'The operators of now, by the time of joining',
  access: 'operator',
  reply: z.array(
    z.object({ id: z.string(), firstName: z.string(), lastName: z.string().nullable(), email: z.string() }),
  ),
});
