import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { deviceOf } from '../../test/device.ts';
import { type Person, testSite } from '../../test/site.ts';
import { deleteUnknownDevices } from './devices.ts';

/** The bounds of stored devices. */
const site = await testSite({ after });
const fingerprint = (canvas: string) => deviceOf({ canvas });
const tell = (canvas: string, as?: Person) =>
  site.call('POST', '/api/device/fingerprint', {
    body: fingerprint(canvas),
    ...(as === undefined ? {} : { as }),
  });
const canvasesOf = async (memberId: number): Promise<string[]> => {
  const rows = await site.owner.rows<{ canvas: string }>(sql`
    select fields->>'canvas' as canvas from access.devices where member_id = ${memberId} order by last_seen_at`);
  return rows.map(({ canvas }) => canvas);
};

describe('devices', () => {
  it('are deleted after two days without a member', async () => {
    const person = await site.member();
    for (const canvas of ['old', 'young']) {
      assert.equal((await tell(canvas)).status, 204);
      assert.equal((await tell(canvas, person)).status, 204);
    }
    await site.owner.rows(sql`
      update access.devices set last_seen_at = last_seen_at - interval '49 hours' where fields->>'canvas' = 'old'`);
    await deleteUnknownDevices(site.database);
    assert.deepEqual(await canvasesOf(0), ['young']);
    assert.deepEqual(await canvasesOf(person.id), ['old', 'young']);
  });
  it('are limited to fifty per member: the first and the last seen', async () => {
    const [person, other] = [await site.member(), await site.member()];
    await tell('of another', other);
    for (let number = 0; number < 52; number += 1) await tell(`device ${number}`, person);
    await tell('device 2', person);
    await tell('device 52', person);
    const kept = await canvasesOf(person.id);
    assert.equal(kept.length, 50);
    assert.deepEqual(kept.slice(0, 2), ['device 0', 'device 5']);
    assert.deepEqual(kept.slice(-2), ['device 2', 'device 52']);
    assert.deepEqual(await canvasesOf(other.id), ['of another']);
  });
  it('are recorded at most 120 times an hour per address or member', async () => {
    const strict = await testSite({ after }, { LIMIT_FACTOR: '0.1' });
    const person = await strict.member();
    for (const as of [undefined, person]) {
      const statuses = [];
      for (let number = 0; number < 13; number += 1)
        statuses.push(
          (
            await strict.call('POST', '/api/device/fingerprint', {
              body: fingerprint(`device ${number}`),
              ...(as === undefined ? {} : { as }),
            })
          ).status,
        );
      assert.deepEqual(statuses, [...Array.from({ length: 12 }, () => 204), 429]);
    }
  });
});
