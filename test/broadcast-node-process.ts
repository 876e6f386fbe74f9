import { openDatabase } from '#platform/database.ts';
import { startBroadcasts } from '../server/broadcasts/jobs.ts';
import { sendingParts } from './broadcast-parts.ts';

/** A node's sending of broadcasts in a process of its own, so that a test can kill it. It runs until then. */
const { TEST_DATABASE_URL: url = '', TEST_SMTP_URL: smtpUrl = '', TEST_LEASE_MS: leaseMs } = process.env;
startBroadcasts(sendingParts(openDatabase({ url, connectionsMax: 8 }), smtpUrl, Number(leaseMs)));
