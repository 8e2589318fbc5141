import { upstreamContract } from '../../../../contract/upstream.ts';
import { farUpstream } from '../../../../test/upstream-far.ts';
import { guardedUpstream } from './guarded-upstream.ts';

upstreamContract(
  'guarded',
  async (t, limits = {}) => {
    const { host, access } = await farUpstream(t);
    const upstream = guardedUpstream({ route: 'public', enabled: true }, { ...access, limits });
    return { upstream, host, origin: 'https://agent.example' };
  },
  { family: 'A2A_EGRESS' },
);
