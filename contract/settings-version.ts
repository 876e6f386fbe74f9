import { z } from 'zod';

/**
 * Names a state of stored settings. An operator who changes settings sends the version that they saw, and is refused
 * (`settings-changed`) if another operator changed them since.
 */
export const settingsVersion = z.string().regex(/^[0-9a-f]{16}$/);
