import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Access } from '#contract/endpoint.ts';

/**
 * Every route declares who may call it: an endpoint of the contract by its `access`, every other route in its
 * configuration. A route without a declaration stops the start. The declaration of a route that `handle.ts` does not
 * bind only states what the route itself checks.
 */
export type DeclaredRoute = {
  method: string;
  /** Path with parameters as `:name`. */
  url: string;
  access: Access;
  /** Open to members whose account is fully suspended. */
  whileSuspended?: true;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    whileSuspended?: true;
  }
}

/** The configuration of routes that everybody may call. */
export const forEverybody = { access: 'public' } as const;

/**
 * Collects the routes that are bound from now on. The returned function lists them.
 * @throws Error if one declares no access
 */
export function collectRoutes(app: FastifyInstance): () => DeclaredRoute[] {
  const bound: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void bound.push(route));
  return () => declaredRoutes(bound);
}

function declaredRoutes(bound: readonly RouteOptions[]): DeclaredRoute[] {
  const undeclared: string[] = [];
  const declared = bound.flatMap(({ method, url, config }) =>
    [method].flat().flatMap((one): DeclaredRoute[] => {
      if (config?.access === undefined) {
        undeclared.push(`${one} ${url}`);
        return [];
      }
      const { access, whileSuspended } = config;
      return [{ method: one, url, access, ...(whileSuspended === undefined ? {} : { whileSuspended }) }];
    }),
  );
  if (undeclared.length > 0)
    throw new Error(`Who may call these routes is not declared: ${undeclared.join(', ')}`);
  return declared;
}

/** Declares all routes that are bound in this scope from now on as open to everybody: pages, scripts and pictures. */
export function openToEverybody(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, ...forEverybody };
  });
}
