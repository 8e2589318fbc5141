import { upstreamContract } from '../../../../contract/upstream.ts';
import { UpstreamHost } from '../../../../contract/upstream-host.ts';
import { dial, StagedGateway, timers } from './fixtures/tunnel-stage.ts';

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
