import type { BodyOf } from '#contract/endpoint.ts';
import type { changePaymentMethod as changeEndpoint, Method, PaymentMethod } from '#contract/withdrawals.ts';
import { methods } from '#contract/withdrawals.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { MASKED } from '#platform/secrets.ts';
import type { Coin, CoinNetwork } from './addresses.ts';
import { findMethod, lockMethod, type MethodRow, readMethodRows, updateMethod } from './queries.ts';
import type { CoinNodeAccess } from './rails/coin-rpc.ts';
import { dashRail } from './rails/dash.ts';
import { litecoinRail } from './rails/litecoin.ts';
import type { Rail } from './rails/rail.ts';

/**
 * The ways to pay out, as operators set them: limits and fee in points, and for a coin the node that pays.
 * User and password of a node are kept encrypted and never shown. A node's host must be one that the
 * deployment allows, when it is set and again when it is used, so that the panel can't be used to reach into
 * the network.
 */
export type MethodParts = Pick<Platform, 'database' | 'config' | 'secrets'>;

/** No withdrawal is below this, whatever a method says. */
export const MINIMUM_POINTS = 1_000n;

export type PaymentMethodChange = BodyOf<typeof changeEndpoint>;

/** What a method's limits come to. A maximum of 0 means none. A withdrawal is always more than its fee. */
export function limitsOf(row: MethodRow): { minimum: bigint; maximum: bigint; fee: bigint } {
  const floors = [MINIMUM_POINTS, row.minimum_points, row.fee_points + 1n];
  const minimum = floors.reduce((highest, floor) => (floor > highest ? floor : highest));
  return { minimum, maximum: row.maximum_points, fee: row.fee_points };
}

export function isMethod(text: string): text is Method {
  return (methods as readonly string[]).includes(text);
}

const networkOf = ({ config }: MethodParts, coin: Coin): CoinNetwork =>
  coin === 'litecoin' ? config.litecoinNetwork : config.dashNetwork;

const rails = {
  litecoin: litecoinRail,
  dash: dashRail,
} satisfies Record<Coin, (access: CoinNodeAccess, network: CoinNetwork) => Rail>;

const isCoin = (method: string): method is Coin => method in rails;

/** The ports on which the coins' own wallets listen, by network; what a card shows before anything is set. */
const usualPorts: Record<Coin, Record<CoinNetwork, number>> = {
  litecoin: { main: 9332, test: 19332, regtest: 19443 },
  dash: { main: 9998, test: 19998, regtest: 19898 },
};

const contextOf = (method: string, column: string) => `withdrawals.methods ${method} ${column}`;

/** The rail that pays this method; undefined where none is set up or its host is no longer allowed. */
export function railOf(parts: MethodParts, row: MethodRow): Rail | undefined {
  const { method, rpc_host: host, rpc_port: port, sealed_rpc_user, sealed_rpc_password } = row;
  if (!isCoin(method) || !host || !port || !sealed_rpc_user || !sealed_rpc_password) return undefined;
  if (!parts.config.rpcAllowedHosts.includes(host)) return undefined;
  const user = parts.secrets.open(sealed_rpc_user, contextOf(method, 'rpc_user'));
  const password = parts.secrets.open(sealed_rpc_password, contextOf(method, 'rpc_password'));
  return rails[method]({ host, port, user, password }, networkOf(parts, method));
}

/** The rail of a method as it is set up now. */
export async function findRail(parts: MethodParts, method: string): Promise<Rail | undefined> {
  const row = await findMethod(parts.database, method);
  return row && railOf(parts, row);
}

/** Every way to pay out, for operators; secrets are masked. */
export async function readPaymentMethods(parts: MethodParts): Promise<PaymentMethod[]> {
  return (await readMethodRows(parts.database)).map((row) => shown(parts, row));
}

function shown(parts: MethodParts, row: MethodRow): PaymentMethod {
  const credentials = isCoin(row.method)
    ? {
        rpcUser: row.sealed_rpc_user === null ? '' : MASKED,
        rpcPassword: row.sealed_rpc_password === null ? '' : MASKED,
        rpcHost: row.rpc_host ?? '',
        rpcPort: row.rpc_port ?? usualPorts[row.method][networkOf(parts, row.method)],
      }
    : {};
  return {
    method: row.method,
    name: row.name,
    isEnabled: row.is_enabled,
    credentials,
    settings: {
      minimumAmount: Number(row.minimum_points),
      maximumAmount: Number(row.maximum_points),
      processingFee: Number(row.fee_points),
    },
  };
}

/**
 * Changes any of a method's settings and answers the whole.
 * @throws Refusal `not-found`; `invalid-request` for a host that is not allowed, or credentials where there are none
 */
export async function changePaymentMethod(
  parts: MethodParts,
  method: string,
  change: PaymentMethodChange,
): Promise<PaymentMethod> {
  if (change.method !== undefined && change.method !== method) {
    throw new InvalidRequest([{ path: 'method', message: 'Must be the method in the path' }]);
  }
  return parts.database.transaction(async (tx) => {
    const row = await lockMethod(tx, method);
    if (!row) throw refuse('not-found');
    const changed = {
      ...row,
      ...changedCredentials(parts, row, change.credentials ?? {}),
      ...changedLimits(row, change.settings ?? {}),
      is_enabled: change.isEnabled ?? row.is_enabled,
    };
    await updateMethod(tx, changed);
    return shown(parts, changed);
  });
}

function changedLimits(row: MethodRow, settings: NonNullable<PaymentMethodChange['settings']>) {
  const limits = {
    minimum_points: BigInt(settings.minimumAmount ?? row.minimum_points),
    maximum_points: BigInt(settings.maximumAmount ?? row.maximum_points),
    fee_points: BigInt(settings.processingFee ?? row.fee_points),
  };
  const { minimum, maximum } = limitsOf({ ...row, ...limits });
  if (maximum !== 0n && maximum < minimum) {
    throw new InvalidRequest([
      { path: 'settings.maximumAmount', message: `Must be 0 or at least ${minimum}` },
    ]);
  }
  return limits;
}

function changedCredentials(
  parts: MethodParts,
  row: MethodRow,
  given: NonNullable<PaymentMethodChange['credentials']>,
) {
  if (!isCoin(row.method)) {
    if (Object.keys(given).length === 0) return {};
    throw new InvalidRequest([{ path: 'credentials', message: 'This method has none' }]);
  }
  const { rpcUser, rpcPassword, rpcHost, rpcPort } = given;
  if (rpcHost && !parts.config.rpcAllowedHosts.includes(rpcHost)) {
    throw new InvalidRequest([
      { path: 'credentials.rpcHost', message: 'This host is not in RPC_ALLOWED_HOSTS' },
    ]);
  }
  const sealed = (value: string | undefined, column: string, kept: string | null) => {
    if (value === undefined || value === MASKED) return kept;
    return value === '' ? null : parts.secrets.seal(value, contextOf(row.method, column));
  };
  return {
    rpc_host: rpcHost === undefined ? row.rpc_host : rpcHost || null,
    rpc_port:
      rpcPort ?? row.rpc_port ?? (rpcHost ? usualPorts[row.method][networkOf(parts, row.method)] : null),
    sealed_rpc_user: sealed(rpcUser, 'rpc_user', row.sealed_rpc_user),
    sealed_rpc_password: sealed(rpcPassword, 'rpc_password', row.sealed_rpc_password),
  };
}
