import { CONNECTIONS_OF_AUDIT, type Opened, open } from './admin-database.ts';
import { type CommandForm, readWords, refuse, sentenceOfWords, type Words } from './admin-words.ts';
import { siteChecks } from './books.ts';
import { examine, type Reached, sentenceOf } from './doctor.ts';
import { auditSite } from './ledger/books.ts';
import { rebuildAccountDays } from './ledger/ledger.ts';
import { findAccount, grantRole } from './members/members.ts';
import { pause, reconcile, resume } from './payout-commands.ts';
import { acceptBreaks, findChainHash } from './platform/act-chain.ts';
import { recordActs } from './platform/audit-trail.ts';
import { changeTimezone } from './platform/clock.ts';
import { type Config, ConfigFault, readConfig } from './platform/config.ts';
import { type Database, isDatabaseOutage, sqlState } from './platform/database.ts';
import { readServerVersion } from './platform/database-sessions.ts';
import { endLeasesAhead } from './platform/leases.ts';
import { createLog } from './platform/log.ts';
import { acceptClock } from './platform/retention.ts';
import { secretsOf } from './platform/secrets.ts';
import { decideProposal, readSiteState } from './platform/settings-change.ts';
import { grantByCommand, type PointsAnswer, revokeByCommand } from './points-command.ts';
import { readSealed, rotateSecret } from './secret-command.ts';
import { repairTimes } from './withdrawals/audit.ts';

/**
 * The operator's command line, which works without the site: `npm run admin -- audit`. It reads the same environment as
 * the server and can run beside it. It exits 1 if a command is refused, the audit finds a difference or could not
 * make a check, `doctor` finds anything wrong, `reconcile` could not compare every method, or `rotate-secret` finds a
 * secret that does not open.
 */
export const usage = `Usage: npm run admin -- COMMAND

  audit [--trail NUMBER:HASH]        compare all books with the movements, and the audit trail with its chain and
                                     with a row of the log; exits 1 on a difference, or if a check could not be made
  accept-trail NUMBER REASON         leave out a break of the audit trail that was looked into (NUMBER is the row's
                                     number in the chain, or "end")
  repair                             after a wrong clock: rebuild the day sums of accounts, and make due what waits
                                     for a time far ahead
  timezone ZONE                      change the site's time zone, which the first start stored
  grant MEMBER POINTS REASON [--key KEY]
                                     give points (MEMBER is an id or an e-mail address); from the site's sum for two
                                     people on they wait for an operator in the back office
  revoke MEMBER POINTS REASON [--key KEY]
                                     take points back, also below zero; with the same KEY, the same command again
                                     books nothing
  operator MEMBER                    make a member an operator
  doctor                             try every service that the site depends on, and say what is wrong; exits 1 if
                                     anything is
  rotate-secret                      seal all stored secrets anew with APP_SECRET, after it was changed; run it again
                                     until it says that APP_SECRET_FORMER can go
  pause REASON                       pause all payouts of the site; nothing is dropped
  resume [REASON]                    resume them
  confirm-settings [NUMBER]          list the changes of the site's settings that wait for another operator, or confirm
                                     the one with this number, on a site with one operator
  reconcile [--noted REASON [--not-owed]]
                                     compare payouts with the payments that were made, print it, and release what is
                                     clear; exits 1 if a method could not be compared. With --noted the payments that
                                     no payout accounts for are noted with the reason and not printed again; those whose
                                     member is known only with --not-owed, or by the revoke that is printed for each
  reconcile --new-account METHOD [--lost] REASON
                                     the method pays from another wallet from now on; --lost: also while the former
                                     one, which is lost, may pay some payouts
  reconcile --give-up METHOD REASON  end a comparison after a restore that can never be made, because the wallet or
                                     the coin is given up for good
`;

/** Compares the trail with a row that a node has logged. */
async function isAsLogged(owner: Database, place: string): Promise<boolean> {
  const [number = '', hash] = place.split(':');
  const isSame = (await findChainHash(owner, BigInt(number))) === hash;
  console.log(`Row ${number} of the audit trail is ${isSame ? '' : 'not '}the one of the log.`);
  return isSame;
}

async function audit({ owner }: Opened, { options: { trail } }: Words): Promise<number> {
  if (trail !== undefined && !/^[1-9]\d{0,17}:[0-9a-f]{64}$/.test(trail))
    return refuse(
      'NUMBER:HASH is the number and the hash of a line "the audit trail was chained" of the log.',
    );
  const isTrailSame = trail === undefined || (await isAsLogged(owner, trail));
  const log = createLog('error');
  const { checks, differences } = await auditSite({ database: owner, log }, siteChecks, {
    connections: CONNECTIONS_OF_AUDIT,
  });
  for (const difference of differences) console.log(JSON.stringify(difference));
  const notMade = checks.filter(({ notChecked }) => notChecked !== null);
  for (const { name, notChecked } of notMade) console.log(`not checked: ${name}: ${notChecked}`);
  const isSound = differences.length === 0 && notMade.length === 0;
  const unmade = notMade.length === 0 ? '' : ` Checks: ${notMade.length} not made.`;
  console.log(isSound ? 'The books balance.' : `Differences: ${differences.length}.${unmade}`);
  return isSound && isTrailSame ? 0 : 1;
}

async function acceptTrail({ owner }: Opened, { positionals }: Words): Promise<number> {
  const [subject = '', ...reasonWords] = positionals;
  const reason = sentenceOfWords(reasonWords);
  if (subject === '' || reason === '') return refuse('NUMBER and REASON are needed.');
  const count = await acceptBreaks(owner, subject, reason);
  if (count === 0) return refuse(`The audit trail has no break at ${subject}.`);
  console.log(`The audit leaves out ${count} break of the audit trail at ${subject}.`);
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
  console.log(`The day sums hold ${movements} movements. ${leases} leases ended, ${times} times set back.`);
  return 0;
}

async function setTimezone({ owner }: Opened, { positionals: [zone = ''] }: Words): Promise<number> {
  if (zone === '') return refuse('ZONE is an IANA name such as Asia/Seoul.');
  const former = await changeTimezone(owner, zone);
  console.log(
    `The site's days were those of ${former} and are now those of ${zone}. Set SITE_TIMEZONE on each node.`,
  );
  return 0;
}

const say = ({ isDone, line }: PointsAnswer): number => {
  if (!isDone) return refuse(line);
  console.log(line);
  return 0;
};

async function makeOperator({ app }: Opened, { positionals: [who = ''] }: Words): Promise<number> {
  const account = await findAccount(app, who);
  if (account === undefined) return refuse(`There is no member ${who}.`);
  await app.transaction(async (tx) => {
    await grantRole(tx, account.id, 'admin');
    const after = { role: 'admin' };
    const target = { kind: 'member', id: account.id } as const;
    await recordActs(tx, [{ actor: 'command-line', act: 'operator.appoint', target, after }]);
  });
  console.log(`${account.email} is an operator.`);
  return 0;
}

async function confirmSettings({ config, app }: Opened, { positionals: [number] }: Words): Promise<number> {
  const { proposals } = await readSiteState(app, config.mode);
  if (number === undefined) {
    for (const { id, setting, from, to, operatorId, at } of proposals) {
      const asker = (await findAccount(app, operatorId))?.email ?? operatorId;
      console.log(`${id}: ${setting} from ${from ?? 'none'} to ${to ?? 'none'}, asked by ${asker} at ${at}`);
    }
    if (proposals.length === 0) console.log('No change of the settings waits.');
    return 0;
  }
  const proposal = proposals.find(({ id }) => id === number);
  if (proposal === undefined) return refuse(`No change with the number ${number} waits.`);
  await decideProposal(app, config.mode, { id: BigInt(number), decision: 'confirm', actor: 'command-line' });
  console.log(`${proposal.setting} is ${proposal.to ?? 'none'} now.`);
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
  for (const { name, isWell, text } of findings)
    console.log(`${isWell ? 'ok   ' : 'WRONG'} ${name}: ${text}`);
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

type Command = CommandForm &
  (
    | { needsDatabase: true; run(opened: Opened, words: Words): Promise<number> }
    | { needsDatabase: false; run(config: Config): Promise<number> }
  );

const key = { key: { type: 'string' } } as const;
export const commands: Record<string, Command> = {
  audit: { options: { trail: { type: 'string' } }, positionalsMax: 0, needsDatabase: true, run: audit },
  'accept-trail': { positionalsMax: Number.POSITIVE_INFINITY, needsDatabase: true, run: acceptTrail },
  repair: { positionalsMax: 0, needsDatabase: true, run: repair },
  timezone: { positionalsMax: 1, needsDatabase: true, run: setTimezone },
  grant: {
    options: key,
    positionalsMax: Number.POSITIVE_INFINITY,
    needsDatabase: true,
    run: async ({ app, config }, { options, positionals }) =>
      say(await grantByCommand({ database: app, config }, positionals, options.key)),
  },
  revoke: {
    options: key,
    positionalsMax: Number.POSITIVE_INFINITY,
    needsDatabase: true,
    run: async ({ app, config }, { options, positionals }) =>
      say(await revokeByCommand({ database: app, config }, positionals, options.key)),
  },
  operator: { positionalsMax: 1, needsDatabase: true, run: makeOperator },
  doctor: { positionalsMax: 0, needsDatabase: false, run: doctor },
  'rotate-secret': { positionalsMax: 0, needsDatabase: true, run: rotateSecret },
  pause: { positionalsMax: Number.POSITIVE_INFINITY, needsDatabase: true, run: pause },
  resume: { positionalsMax: Number.POSITIVE_INFINITY, needsDatabase: true, run: resume },
  'confirm-settings': { positionalsMax: 1, needsDatabase: true, run: confirmSettings },
  reconcile: {
    options: {
      'new-account': { type: 'string' },
      lost: { type: 'boolean' },
      noted: { type: 'boolean' },
      'not-owed': { type: 'boolean' },
      'give-up': { type: 'string' },
    },
    positionalsMax: Number.POSITIVE_INFINITY,
    needsDatabase: true,
    run: reconcile,
  },
};

async function run([name = '', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return refuse(usage);
  const words = readWords(name, command, args);
  if (typeof words === 'string') return refuse(words);
  const config = readConfig(process.env);
  if (!command.needsDatabase) return command.run(config);
  const opened = await open(config);
  try {
    return await command.run(opened, words);
  } finally {
    await opened.close();
  }
}

/** Runs a command, and says in one line why it failed where that is no fault of the program. */
async function main(args: string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    if (error instanceof ConfigFault) return refuse(error.lines.join('\n'));
    if (isDatabaseOutage(error)) return refuse(`The database can't be used: ${sentenceOf(error as Error)}`);
    if (sqlState(error) !== undefined) return refuse((error as Error).message);
    throw error;
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
