import { upstreamContract } from '../../../../contract/upstream.ts';
import { UpstreamHost } from '../../../../contract/upstream-host.ts';
import type { Clock } from '../../../ports/clock.ts';
import { dial, StagedGateway } from './fixtures/tunnel-stage.ts';

/** In the time of the timers, which a test may drive. */
const timers: Clock = {
  now: () => 0,
  wakeAt(atMs, wake) {
    const timer = setTimeout(wake, atMs);
    return () => clearTimeout(timer);
  },
};

upstreamContract(
  'tunnel',
  async (t, limits = {}) => {
    const gateway = await StagedGateway.start(t, { limits, clock: timers });
    const host = await UpstreamHost.start();
    t.after(() => host.stop());
    const origin = `http://127.0.0.1:${host.port}`;
    const dialled = dial(t, gateway, new URL(origin), { clock: timers });
    await dialled.states.until((states) => states.length > 0);
    return { upstream: gateway.upstream(), host, origin };
  },
  { family: 'A2A_TUNNEL' },
);
