import { type PosterBench, posterContract } from '../contract/poster.ts';
import type { Poster } from '../src/ports/poster.ts';
import { Disk } from './disk.ts';
import { Life } from './machine.ts';
import { Platform } from './platform.ts';
import { Prng } from './prng.ts';
import { Scheduler } from './scheduler.ts';
import type { Setting } from './setting.ts';
import { SimPoster } from './sim-poster.ts';
import { drawSwarm, healed, type PlatformFaults } from './swarm.ts';
import { Trace } from './trace.ts';

const CALM: PlatformFaults = {
  ...{ latencyMs: [0, 3], limited: 0, lostBefore: 0, lostAfter: 0, late: 0, lateEdits: 0, refused: 0, deletes: 0 },
  lagMs: 0,
};
const FAULTS = { 'lost-before': { lostBefore: 1 }, 'lost-after': { lostAfter: 1 }, limited: { limited: 1 } };

posterContract('simulated', async () => {
  const prng = new Prng(1);
  const scheduler = new Scheduler(prng.fork('schedule'));
  const swarm = { ...healed(drawSwarm(prng.fork('swarm'))), platform: CALM };
  const trace = new Trace(() => scheduler.nowMs);
  const chances = (concern: string) => prng.fork(concern);
  const setting: Setting = { scheduler, trace, mark: () => {}, chances, disk: new Disk(), swarm };
  const platform = new Platform(setting);
  const watcher = { posting: () => {}, editing: () => {} };
  const poster = new SimPoster(setting, new Life('A1'), platform, watcher);
  const fail = (faults: Partial<PlatformFaults>) => {
    setting.swarm = { ...swarm, platform: { ...CALM, ...faults } };
  };
  const bench: PosterBench = {
    poster: running(poster, scheduler, () => fail({})),
    place: 'place-1',
    channel: 'channel',
    nowMs: () => scheduler.nowMs,
    seen: async (place) =>
      platform.messages.filter((it) => it.place === place && !it.deletedBy).map(({ says }) => says),
    failNext: (fault) => fail(FAULTS[fault]),
    deleteByPeople: async (_, ref) => {
      const message = platform.message(ref);
      if (message) message.deletedBy = 'people';
    },
    close: async () => {},
  };
  return bench;
});

/** Simulated time runs while something is asked; a fault is for one call. */
function running(poster: SimPoster, scheduler: Scheduler, called: () => void): Poster {
  const run =
    <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      const asked = call(...given);
      while (await scheduler.step());
      called();
      return asked;
    };
  const { platform, layout, post, edit, remove, find, open } = poster;
  return { platform, layout, post: run(post), edit: run(edit), remove: run(remove), find: run(find), open: run(open) };
}
