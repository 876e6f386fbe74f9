import type { ConnectionStep } from '#contract/connection.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { sentence } from '#contract/operator-sentences.ts';
import type { testPaymentMethod as testEndpoint } from '#contract/withdrawals-methods.ts';
import { recordActs } from '#platform/audit-trail.ts';
import { refuse } from '#platform/refusal.ts';
import {
  connectWith,
  credentialNames,
  findCredentials,
  findMethod,
  type Method,
  type MethodParts,
  placeOf,
  UNREADABLE,
  withGiven,
} from './payment-methods.ts';
import { findAccountTrouble } from './payout-comparison.ts';
import type { Credentials, Rail } from './rails/rail.ts';

/**
 * An operator's test of a payment method: is the account complete, and can it pay? It names what is wrong before a
 * payout does. It uses the credentials that are being typed in, or the stored ones, changes nothing and pays nothing.
 */
export async function testPaymentMethod(
  platform: MethodParts,
  { method: id, body, operatorId }: { method: string; body: BodyOf<typeof testEndpoint>; operatorId: number },
): Promise<{ steps: ConnectionStep[] }> {
  const method = await findMethod(platform, id);
  if (method === undefined) throw refuse('not-found');
  const given = body?.credentials ?? {};
  const credentials = withGiven(platform.config, method, findCredentials(platform, method), given);
  const steps = await stepsOf(platform, method, credentials);
  const failed = steps.find(({ ok }) => !ok);
  const readable = method.definition.account.readable.map((name) => [name, credentials?.[name] ?? null]);
  await platform.database.transaction((tx) =>
    recordActs(tx, [
      {
        actor: operatorId,
        act: 'payment-method.test',
        target: { kind: 'payment-method', id },
        after: { ...Object.fromEntries(readable), failedStep: failed?.name ?? null },
      },
    ]),
  );
  return { steps };
}

async function stepsOf(
  platform: MethodParts,
  method: Method,
  credentials: Credentials | undefined,
): Promise<ConnectionStep[]> {
  const account = (ok: boolean, text: string): ConnectionStep => ({ name: 'account', ok, text });
  if (credentials === undefined) return [account(false, UNREADABLE)];
  const fault = accountFaultOf(platform, method, credentials);
  if (fault !== undefined) return [account(false, fault)];
  const setup = connectWith(platform.config, method, credentials);
  if (setup.kind === 'unusable') return [account(false, setup.reason)];
  const first = account(true, sentence('account-complete'));
  try {
    const steps = [first, ...(await setup.rail.testConnection())];
    return steps.every(({ ok }) => ok)
      ? [...steps, await stepOfPayments(platform, method.definition.id, setup.rail)]
      : steps;
  } catch (error) {
    platform.log.error({ method: method.row.method, ...placeOf(error) }, 'a connection could not be tested');
    const text = sentence('party-unexpected');
    return [first, { name: 'answer', ok: false, text }];
  }
}

/** Whether the account is the one that made the former payments: another one is well by itself, and pays nothing. */
async function stepOfPayments(
  { database }: MethodParts,
  method: string,
  rail: Rail,
): Promise<ConnectionStep> {
  const trouble = await findAccountTrouble(database, rail, method, new Date());
  return { name: 'payments', ok: trouble === undefined, text: trouble ?? sentence('account-may-pay') };
}

/** What the account lacks, or what of it is not allowed; undefined if nothing. */
function accountFaultOf(
  { config }: MethodParts,
  { definition }: Method,
  credentials: Credentials,
): string | undefined {
  const initial = definition.account.initial(config);
  const isMissing = (name: string) => initial[name] === '' && (credentials[name] ?? '') === '';
  const missing = credentialNames(definition).filter(isMissing);
  if (missing.length > 0) return sentence('account-incomplete', { nameList: missing.join(', ') });
  return definition.account.findFault(credentials, config)?.message;
}
