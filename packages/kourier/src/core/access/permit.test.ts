import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ACCESS_LIMITS } from './limits.ts';
import {
  boundMessage,
  judgePermit,
  PERMIT_OPERATIONS,
  type PermitClaims,
  type PermittedCall,
  permitClaims,
} from './permit.ts';

const NOW = 1_900_000_000_123;
const { permitMs, clockSkewMs } = ACCESS_LIMITS;
const HASH = 'a'.repeat(64);
const SEND = {
  ...{ gateway: 'https://space.example', caller: '["acme","service","ci"]', space: 'space-demo', agent: 'echo' },
  ...{ version: 'v3-0123456789ab', operation: 'send_message', task: 'task-1', messageSha256: HASH },
} as const satisfies PermittedCall;

const given = (call: PermittedCall = SEND, validMs: number = permitMs): PermitClaims =>
  permitClaims(call, { jti: 'j-1', now: NOW, validMs });

/** As it comes out of a token. */
const signed = (claims: object): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(claims)) as Readonly<Record<string, unknown>>;

const judged = (claims: object, call: PermittedCall = SEND, now: number = NOW): string => {
  const verdict = judgePermit(signed(claims), call, now);
  return verdict.kind === 'refused' ? verdict.problem : verdict.kind;
};

describe('permit', () => {
  test('what is given fits the call that it was given for', () => {
    const claims = given();
    assert.deepEqual(claims, {
      ...{ iss: 'https://space.example', aud: 'https://space.example', sub: '["acme","service","ci"]' },
      ...{ space: 'space-demo', agent: 'echo', version: 'v3-0123456789ab', operation: 'send_message', task: 'task-1' },
      ...{ messageSha256: HASH, jti: 'j-1', exp: 1_900_000_300 },
    });
    assert.deepEqual(judgePermit(signed(claims), SEND, NOW), {
      ...{ kind: 'fits', permit: claims, singleUse: true, expiresAt: 1_900_000_300_000 + 2 * clockSkewMs },
    });
  });

  test('send and cancel are for a single use, reading is not', () => {
    const uses = PERMIT_OPERATIONS.map((operation) => {
      const { messageSha256, ...rest } = SEND;
      const call = operation === 'send_message' ? SEND : { ...rest, operation };
      const verdict = judgePermit(signed(given(call)), call, NOW);
      return [operation, verdict.kind === 'fits' && verdict.singleUse];
    });
    assert.deepEqual(Object.fromEntries(uses), {
      ...{ send_message: true, get_task: false, subscribe_to_task: false, cancel_task: true },
    });
  });

  test('nobody is given more than five minutes, and nothing that claims more is ours', () => {
    assert.equal(given(SEND, 10 * permitMs).exp, given().exp);
    assert.equal(given(SEND, 1_500).exp, 1_900_000_001);
    const { exp } = given();
    assert.equal(judged({ ...given(), exp: exp + clockSkewMs / 1_000 }), 'fits');
    assert.equal(judged({ ...given(), exp: exp + clockSkewMs / 1_000 + 1 }), 'permit-invalid');
  });

  test('it expires, give or take what clocks of two processes may differ', () => {
    const end = given().exp * 1_000 + clockSkewMs;
    assert.equal(judged(given(), SEND, end - 1), 'fits');
    assert.equal(judged(given(), SEND, end), 'permit-expired');
  });

  test('each part that differs has its own problem; who calls is judged first', () => {
    const others: [Partial<PermittedCall>, string][] = [
      [{ gateway: 'https://other.example' }, 'permit-invalid'],
      [{ caller: '["acme","service","other"]' }, 'permit-other-caller'],
      [{ space: 'other' }, 'permit-other-target'],
      [{ agent: 'other' }, 'permit-other-target'],
      [{ task: 'task-2' }, 'permit-other-target'],
      [{ version: 'v4-0123456789ab' }, 'permit-version-changed'],
      [{ operation: 'cancel_task' }, 'permit-other-operation'],
      [{ messageSha256: 'b'.repeat(64) }, 'permit-other-message'],
    ];
    for (const [part, problem] of others) assert.equal(judged(given(), { ...SEND, ...part }), problem);
    for (let first = 1; first < others.length; first += 1) {
      const call = { ...SEND, ...Object.assign({}, ...others.slice(first).map(([part]) => part)) };
      assert.equal(judged(given(), call), others[first]?.[1]);
    }
    assert.equal(judged({ ...given(), aud: 'https://other.example' }), 'permit-other-target');
  });

  test('claims that are not a permit are none', () => {
    assert.equal(judgePermit(undefined, SEND, NOW).kind, 'refused');
    const claims = given();
    for (const name of Object.keys(claims)) {
      for (const wrong of [undefined, null, 1.5, '', [], {}, true])
        assert.equal(judged({ ...claims, [name]: wrong }), 'permit-invalid', `${name}: ${JSON.stringify(wrong)}`);
    }
    for (const exp of [Number.MAX_VALUE, -1e300, '1900000300'])
      assert.equal(judged({ ...claims, exp }), 'permit-invalid');
    assert.equal(judged({ ...claims, messageSha256: HASH.toUpperCase() }), 'permit-invalid');
    assert.equal(judged({ ...claims, operation: 'get_task' }), 'permit-invalid', 'a hash binds a message only');
    assert.equal(judged({ ...claims, operation: 'toString' }), 'permit-invalid');
  });

  test('the ids that the gateway puts in are not bound; all else of a message is', () => {
    const message = { messageId: 'm', taskId: 't', contextId: 'c', parts: [{ text: 'x' }], extra: { taskId: 'kept' } };
    assert.deepEqual(boundMessage(message), { messageId: 'm', parts: [{ text: 'x' }], extra: { taskId: 'kept' } });
  });
});
