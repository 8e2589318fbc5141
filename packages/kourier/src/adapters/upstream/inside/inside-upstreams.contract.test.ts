import { upstreamContract } from '../../../../contract/upstream.ts';
import { UpstreamHost } from '../../../../contract/upstream-host.ts';
import { insideUpstreams } from './inside-upstreams.ts';

upstreamContract(
  'inside',
  async (t, limits = {}) => {
    const host = await UpstreamHost.start();
    const upstreams = insideUpstreams({ limits });
    t.after(async () => {
      await upstreams.close();
      await host.stop();
    });
    const origin = `http://127.0.0.1:${host.port}`;
    return { upstream: upstreams.to([origin]), host, origin };
  },
  { family: 'A2A_UPSTREAM' },
);
