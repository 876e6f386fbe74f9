import { CONNECTIONS_OF_AUDIT, type Opened, open } from './admin-database.ts';
import { print, printError } from './admin-print.ts';
import { formsOf, usage } from './admin-usage.ts';
import { type CommandForm, misuse, readWords, refuse, sentenceOfWords, type Words } from './admin-words.ts';
import { siteChecks } from './books.ts';
import { bounce, TRY_AGAIN } from './bounce-command.ts';
import { examine, type Reached, sentenceOf } from './doctor.ts';
import { held, quarantine } from './earning-commands.ts';
import { exportCsv } from './export-command.ts';
import { jobs, mails } from './job-commands.ts';
import { auditSite } from './ledger/books.ts';
import { rebuildAccountDays } from './ledger/ledger.ts';
import { liftSuspension, listSuspensions, suspendMember } from './member-commands.ts';
import { findAccount } from './members/members.ts';
import { isOperatorSince, isOwn } from './members/operators.ts';
import { operator } from './operator-command.ts';
import { partsOf, pause, reconcile, resume } from './payout-commands.ts';
import { acceptBreaks, findChainHash } from './platform/act-chain.ts';
import { recordActs } from './platform/audit-trail.ts';
import { changeTimezone } from './platform/clock.ts';
import { type Config, ConfigFault, readCommandConfig } from './platform/config.ts';
import { type Database, isDatabaseOutage, sqlState } from './platform/database.ts';
import { readServerVersion } from './platform/database-sessions.ts';
import { endLeasesAhead } from './platform/leases.ts';
import { createLog } from './platform/log.ts';
import { Refusal } from './platform/refusal.ts';
import { acceptClock } from './platform/retention.ts';
import { secretsOf } from './platform/secrets.ts';
import { decideProposal, readSiteState } from './platform/settings-change.ts';
import { grantByCommand, type PointsAnswer, revokeByCommand } from './points-command.ts';
import { readSealed, rotateSecret } from './secret-command.ts';
import { approve, listWithdrawals, reject } from './withdrawal-commands.ts';
import { repairTimes } from './withdrawals/audit.ts';
import { findUnseenRestore } from './withdrawals/timelines.ts';

/**
 * The operator's command line, which works without the site: `npm run admin -- audit`. It reads the same environment as
 * the server and can run beside it. `admin-usage.ts` lists the commands and what the exit codes mean.
 */

/** Compares the trail with a row that a node has logged. */
async function isAsLogged(owner: Database, place: string): Promise<boolean> {
  const [number = '', hash] = place.split(':');
  const isSame = (await findChainHash(owner, BigInt(number))) === hash;
  print(`Row ${number} of the audit trail is ${isSame ? '' : 'not '}the one of the log.`);
  return isSame;
}

async function audit({ owner }: Opened, { options: { trail } }: Words): Promise<number> {
  if (trail !== undefined && !/^[1-9]\d{0,17}:[0-9a-f]{64}$/.test(trail))
    return misuse(
      'NUMBER:HASH is the number and the hash of a line "the audit trail was chained" of the log.',
    );
  const isTrailSame = trail === undefined || (await isAsLogged(owner, trail));
  const log = createLog('error');
  const { checks, differences } = await auditSite({ database: owner, log }, siteChecks, {
    connections: CONNECTIONS_OF_AUDIT,
  });
  for (const difference of differences) print(JSON.stringify(difference));
  const notMade = checks.filter(({ notChecked }) => notChecked !== null);
  for (const { name, notChecked } of notMade) print(`not checked: ${name}: ${notChecked}`);
  const isSound = differences.length === 0 && notMade.length === 0;
  const unmade = notMade.length === 0 ? '' : ` Checks: ${notMade.length} not made.`;
  print(isSound ? 'The books balance.' : `Differences: ${differences.length}.${unmade}`);
  return isSound && isTrailSame ? 0 : 1;
}

async function acceptTrail({ owner }: Opened, { positionals }: Words): Promise<number> {
  const [subject = '', ...reasonWords] = positionals;
  const reason = sentenceOfWords(reasonWords);
  if (subject === '' || reason === '') return misuse('NUMBER and REASON are needed.');
  const count = await acceptBreaks(owner, subject, reason);
  if (count === 0) return refuse(`The audit trail has no break at ${subject}.`);
  print(`The audit leaves out ${count} break of the audit trail at ${subject}.`);
  return 0;
}

/** Sets right what a wrong clock wrote, with its act in the same transaction. */
async function repair({ owner }: Opened): Promise<number> {
  const repaired = await owner.transaction(async (tx) => {
    const times = (await repairTimes(tx)) + (await acceptClock(tx));
    const leases = await endLeasesAhead(tx);
    const after = { leases, times, movements: String(await rebuildAccountDays(tx)) };
    const target = { kind: 'site', id: 'site' } as const;
    await recordActs(tx, [{ actor: 'command-line', act: 'site.repair', target, after }]);
    return after;
  });
  const { movements, leases, times } = repaired;
  print(`The day sums hold ${movements} movements. ${leases} leases ended, ${times} times set back.`);
  return 0;
}

async function setTimezone({ owner }: Opened, { positionals: [zone = ''] }: Words): Promise<number> {
  const former = await changeTimezone(owner, zone);
  if (former === undefined) return misuse('ZONE is an IANA name such as Asia/Seoul.');
  print(
    `The site's days were those of ${former} and are now those of ${zone}. Set SITE_TIMEZONE on each node.`,
  );
  return 0;
}

const say = ({ code, line }: PointsAnswer): number => {
  if (code === 0) print(line);
  else printError(line);
  return code;
};

async function confirmSettings({ config, app }: Opened, { positionals: [number] }: Words): Promise<number> {
  const { proposals } = await readSiteState(app, config.mode);
  if (number === undefined) {
    for (const { id, setting, from, to, operatorId, at } of proposals) {
      const asker = (await findAccount(app, operatorId))?.email ?? operatorId;
      print(`${id}: ${setting} from ${from ?? 'none'} to ${to ?? 'none'}, asked by ${asker} at ${at}`);
    }
    if (proposals.length === 0) print('No change of the settings waits.');
    return 0;
  }
  const proposal = proposals.find(({ id }) => id === number);
  if (proposal === undefined) return refuse(`No change with the number ${number} waits.`);
  const decision = { id: BigInt(number), decision: 'confirm', actor: 'command-line' } as const;
  await decideProposal(app, config.mode, decision, { isOperatorSince, isOwn });
  print(`${proposal.setting} is ${proposal.to ?? 'none'} now.`);
  return 0;
}

/** Tries every service, one line each. Exits 1 if anything is wrong. */
async function doctor(config: Config): Promise<number> {
  let opened: Opened | undefined;
  const reach = async (): Promise<Reached> => {
    const description = await describeDatabase(config);
    opened = await open(config);
    const { app: database, owner, urls } = opened;
    return { database, description, ...urls, readSealed: () => readSealed(owner) };
  };
  const findings = await examine({
    config,
    secrets: secretsOf(config),
    log: createLog('silent'),
    reach,
  });
  for (const { name, isWell, text } of findings) print(`${isWell ? 'ok   ' : 'WRONG'} ${name}: ${text}`);
  await opened?.close();
  return findings.every(({ isWell }) => isWell) ? 0 : 1;
}

/** Tries both addresses of an own PostgreSQL. @throws Error that names the variable of the one that fails */
async function describeDatabase({ databaseUrl, databaseOwnerUrl }: Config): Promise<string> {
  if (databaseUrl === null) return 'the embedded PostgreSQL answers';
  const addresses = { DATABASE_OWNER_URL: databaseOwnerUrl ?? databaseUrl, DATABASE_URL: databaseUrl };
  const versions = Object.entries(addresses).map(async ([name, url]) => {
    try {
      return await readServerVersion(url);
    } catch (error) {
      throw new Error(`${name}: ${sentenceOf(error as Error)}`);
    }
  });
  return `PostgreSQL ${(await Promise.all(versions))[0]} answers DATABASE_URL and DATABASE_OWNER_URL`;
}

type Command = CommandForm & {
  /** The exit code when the database fails or the environment does not lead to it; 1 by default. */
  codeWithoutDatabase?: number;
} & (
    | {
        needs: 'database';
        /** Whether it moves points, so that it waits until the site has looked at a restored database. */
        movesPoints?(words: Words): boolean;
        run(opened: Opened, words: Words): Promise<number>;
      }
    | { needs: 'config'; run(config: Config): Promise<number> }
    | { needs: 'nothing'; run(words: Words): number }
  );

/** Prints all commands, or the forms of one. */
function help({ positionals: [name] }: Words): number {
  const forms = name === undefined ? usage : formsOf(name);
  if (forms === '') return misuse(`There is no command ${name}. \`help\` lists all.`);
  for (const line of forms.trimEnd().split('\n')) print(line);
  return 0;
}

const reasoned = { positionalsMax: Number.POSITIVE_INFINITY, needs: 'database' } as const;
const moving = { ...reasoned, movesPoints: () => true } as const;
const deciding = {
  ...reasoned,
  movesPoints: ({ positionals: [verb] }: Words) => verb !== 'list',
} as const;
const pausing: Command = { ...reasoned, run: pause };
const resuming: Command = { ...reasoned, run: resume };
const key = { key: { type: 'string' } } as const;
const after = { after: { type: 'string' } } as const;
export const commands: Record<string, Command> = {
  help: { positionalsMax: 1, needs: 'nothing', run: help },
  audit: { options: { trail: { type: 'string' } }, positionalsMax: 0, needs: 'database', run: audit },
  'accept-trail': { positionalsMax: Number.POSITIVE_INFINITY, needs: 'database', run: acceptTrail },
  repair: { positionalsMax: 0, needs: 'database', run: repair },
  timezone: { positionalsMax: 1, needs: 'database', run: setTimezone },
  grant: {
    ...moving,
    options: key,
    run: async ({ app, config }, { options, positionals }) =>
      say(await grantByCommand({ database: app, config }, positionals, options.key)),
  },
  revoke: {
    ...moving,
    options: key,
    run: async (opened, { options, positionals }) =>
      say(await revokeByCommand(partsOf(opened), positionals, options.key)),
  },
  operator: { positionalsMax: Number.POSITIVE_INFINITY, needs: 'database', run: operator },
  doctor: { positionalsMax: 0, needs: 'config', run: doctor },
  'rotate-secret': { positionalsMax: 0, needs: 'database', run: rotateSecret },
  withdrawals: { positionalsMax: 0, needs: 'database', run: listWithdrawals },
  approve: { ...moving, run: approve },
  reject: { ...moving, run: reject },
  held: { ...deciding, options: after, run: held },
  quarantine: { ...deciding, options: { ...after, member: { type: 'string' } }, run: quarantine },
  jobs: { ...reasoned, run: jobs },
  mails: { ...reasoned, run: mails },
  bounce: {
    ...reasoned,
    options: { forget: { type: 'string' } },
    codeWithoutDatabase: TRY_AGAIN,
    run: bounce,
  },
  suspensions: { positionalsMax: 0, needs: 'database', run: listSuspensions },
  suspend: {
    ...reasoned,
    options: { severity: { type: 'string' }, until: { type: 'string' } },
    run: suspendMember,
  },
  lift: { ...reasoned, run: liftSuspension },
  export: { positionalsMax: 2, needs: 'database', run: exportCsv },
  pause: pausing,
  'pause-payouts': pausing,
  resume: resuming,
  'resume-payouts': resuming,
  'confirm-settings': { positionalsMax: 1, needs: 'database', run: confirmSettings },
  reconcile: {
    options: {
      'new-account': { type: 'string' },
      lost: { type: 'boolean' },
      noted: { type: 'boolean' },
      'not-owed': { type: 'string' },
      'release-approved': { type: 'boolean' },
      'give-up': { type: 'string' },
      'never-made': { type: 'string' },
    },
    positionalsMax: Number.POSITIVE_INFINITY,
    needs: 'database',
    run: reconcile,
  },
};

/** Why a command may not move points on this database. Undefined if nothing stands against it. */
async function findObstacle({ app: database, config }: Opened): Promise<string | undefined> {
  const found = await findUnseenRestore({ database, config, log: createLog('silent') });
  if (found === undefined) return undefined;
  const advice = found.isReadable
    ? 'Start the site here first, and do what it says of the restore.'
    : 'Run the command as the user of the site.';
  return `Nothing was done. ${found.reason} ${advice}`;
}

async function run([name = '', ...args]: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const asked = name === '--help' || name === '-h' ? 'help' : name;
  const command = Object.hasOwn(commands, asked) ? commands[asked] : undefined;
  if (command === undefined)
    return misuse(name === '' ? usage : `There is no command ${name}. \`npm run admin -- help\` lists all.`);
  const words = readWords(asked, command, args);
  if (typeof words === 'string') return misuse(words);
  if (command.needs === 'nothing') return command.run(words);
  const config = readCommandConfig(environment);
  if (command.needs === 'config') return command.run(config);
  const opened = await open(config);
  try {
    const obstacle = command.movesPoints?.(words) === true ? await findObstacle(opened) : undefined;
    return obstacle === undefined ? await command.run(opened, words) : refuse(obstacle);
  } finally {
    await opened.close();
  }
}

/**
 * Runs a command, and says in one line why it failed where that is no fault of the program. Returns its exit code.
 * @param environment the variables of the site
 */
export async function runCommand(args: string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [name = ''] = args;
  const withoutDatabase =
    (Object.hasOwn(commands, name) ? commands[name]?.codeWithoutDatabase : undefined) ?? 1;
  try {
    return await run(args, environment);
  } catch (error) {
    if (error instanceof ConfigFault) {
      for (const line of error.lines) printError(line);
      return withoutDatabase;
    }
    if (error instanceof Refusal) return refuse(error.message);
    const isOutage = isDatabaseOutage(error);
    if (!isOutage && sqlState(error) === undefined) throw error;
    const { message } = error as Error;
    printError(isOutage ? `The database can't be used: ${sentenceOf(error as Error)}` : message);
    return withoutDatabase;
  }
}

if (import.meta.main) process.exitCode = await runCommand(process.argv.slice(2), process.env);
