import { readAnswer } from './answer-bytes.ts';
import { type Bench, type BenchOptions, interleave, type Outcome, plainFigure } from './figure.ts';
import { withSite } from './site.ts';
import { addMembers, openSessions } from './world.ts';

/** B22: the bytes of the smallest frequent answer, read over HTTP with its headers. */
async function measureAnswer({ log }: BenchOptions): Promise<Outcome> {
  return withSite(async (site) => {
    await addMembers(site, 1);
    const [cookie = ''] = await openSessions(site, 1);
    const series = await interleave(
      { 'GET /api/user': async () => (await readAnswer(site.port, '/api/user', { cookie })).bytes },
      { rounds: 1, unit: 'bytes', log },
    );
    const title = 'answer of GET /api/user with its headers';
    return {
      figures: [
        plainFigure({ id: 'B22', title, target: { max: 600 }, aim: { max: 450 } }, series['GET /api/user']),
      ],
      series: Object.values(series),
      notes: [],
    };
  });
}

export const answerBench: Bench = { name: 'b22', ids: ['B22'], run: measureAnswer };
