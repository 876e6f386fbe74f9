import type { RailVectors } from '../vectors.ts';

export const vectors: RailVectors = { right: [], wrong: [], credentials: {}, start: null };
