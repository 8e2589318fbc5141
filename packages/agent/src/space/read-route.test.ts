import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRoute } from './read-route.ts';

test('a route says why, as the Space does', () => {
  const words = { kind: 'words', field: 'skill-tags', skillId: 'weather', words: ['oslo'] };
  const candidate = { agentId: 'a', score: 0.32, because: [{ kind: 'skill', skillId: 'weather' }, words] };
  assert.deepEqual(readRoute({ outcome: 'agent', agent: { agentId: 'a' }, candidates: [candidate], blocked: [] }), {
    ...{ outcome: 'agent', agentId: 'a', reason: undefined, nearestSkillIds: [], blocked: [] },
    candidates: [
      {
        ...{ agentId: 'a', score: 0.32 },
        because: [{ kind: 'skill', skillId: 'weather', field: undefined, words: [] }, words],
      },
    ],
  });
});

test('nobody fits, and why; what is not known is nobody', () => {
  const blocked = [{ agentId: 'b', score: 1, because: [], blockedReason: 'disabled' }];
  const none = { outcome: 'none', reason: 'blocked', candidates: [], blocked, nearestSkillIds: ['x'] };
  assert.deepEqual(readRoute(none), { ...none, agentId: undefined });
  const empty = { candidates: [], blocked: [], nearestSkillIds: [], reason: undefined };
  assert.deepEqual(readRoute({ outcome: 'else', candidates: 3 }), { outcome: 'none', agentId: undefined, ...empty });
});
