import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AgentCard, generateAgentCardSignature, verifyAgentCardSignature } from '@a2a-js/sdk';
import { parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client';
import { signCard } from '@agentkourier/a2a/sign-card';
import { validateCard } from '@agentkourier/a2a/validate-card';
import { verifyCard } from '@agentkourier/a2a/verify-card';
import { CARD_0_3, CARD_1_0 } from '../../a2a/test/cards.ts';
import { PAIRS } from '../../a2a/test/signing-keys.ts';
import { whyNoPython } from '../../agent/interop/python-environment.ts';
import { adkEnvironment } from './python-environment.ts';

const missing = await whyNoPython();
if (missing !== undefined && process.env['CI'] !== undefined) throw new Error(missing);
/** The first of them may have to make the environment. */
const python = { timeout: 1_800_000, ...(missing === undefined ? {} : { skip: missing }) };

const TOOL = fileURLToPath(new URL('card_tool.py', import.meta.url));

/** What the official Python SDK says, of version 1 or 0.3. */
async function ask(requests: readonly object[], sdk: '1' | '0.3' = '1'): Promise<readonly unknown[]> {
  const { python: binary, overlay } = await adkEnvironment();
  const child = spawn(binary, ['-W', 'ignore', '-B', TOOL], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...(sdk === '0.3' ? { PYTHONPATH: overlay } : {}) },
  });
  child.stdin.end(JSON.stringify(requests));
  return (await json(child.stdout)) as readonly unknown[];
}

type Pair = { readonly secret: JsonWebKey; readonly open: JsonWebKey };
const named = (algorithm: keyof typeof PAIRS): Pair => ({
  secret: { ...PAIRS[algorithm].secret, alg: algorithm },
  open: { ...PAIRS[algorithm].open, alg: algorithm },
});

function signed(card: unknown, { secret }: Pair): Readonly<Record<string, unknown>> {
  const signing = signCard(card, secret);
  return signing.kind === 'signed' ? signing.card : assert.fail(signing.kind);
}

const formOf = (card: unknown, { open }: Pair): string | undefined =>
  verifyCard(card, { keys: [open] }).signatures[0]?.form;

/** What stays of a card when the other flows of OAuth, of which A2A 1.0 has one, are taken out. */
const ONE_FLOW = {
  ...CARD_0_3,
  securitySchemes: {
    ...CARD_0_3.securitySchemes,
    oauth: {
      ...CARD_0_3.securitySchemes.oauth,
      flows: { authorizationCode: CARD_0_3.securitySchemes.oauth.flows.authorizationCode },
    },
  },
};

describe('the official JavaScript SDK', () => {
  it('reads a card of 1.0 that we call valid as we do, and what it writes is valid', () => {
    const written = AgentCard.toJSON(AgentCard.fromJSON(CARD_1_0));
    assert.deepEqual(written, CARD_1_0);
    assert.deepEqual(validateCard(written, '1.0').faults, []);
  });

  it('reads a card of 0.3 that we call valid', () => {
    const written = AgentCard.toJSON(parseLegacyAgentCard(structuredClone(ONE_FLOW)));
    assert.deepEqual(validateCard(written, '1.0').faults, []);
    const { supportedInterfaces, securitySchemes, skills } = written as typeof CARD_1_0;
    assert.deepEqual(
      supportedInterfaces.map(({ protocolBinding }) => protocolBinding),
      ['JSONRPC', 'JSONRPC', 'GRPC', 'HTTP+JSON'],
    );
    assert.deepEqual(Object.keys(securitySchemes), Object.keys(ONE_FLOW.securitySchemes));
    assert.equal(skills[0].id, 'generate-copy');
  });

  for (const algorithm of ['ES256', 'EdDSA', 'PS256'] as const) {
    it(`verifies what we sign, and we what it signs: ${algorithm}`, async (t) => {
      t.mock.method(console, 'debug', () => undefined); // it says there why it refuses
      const pair = named(algorithm);
      const verifies = verifyAgentCardSignature(
        async () => createPublicKey({ key: pair.open, format: 'jwk' }) as never,
      );
      // From JSON: what it has already decoded it canonicalizes without its security schemes.
      await verifies(signed(CARD_1_0, pair) as never);
      await assert.rejects(verifies({ ...signed(CARD_1_0, pair), version: '9' } as never));
      const signs = generateAgentCardSignature(createPrivateKey({ key: pair.secret, format: 'jwk' }) as never, {
        ...{ alg: algorithm, typ: 'JOSE', kid: String(pair.secret['kid']) },
      });
      const card = JSON.parse(JSON.stringify(await signs(CARD_1_0 as never))) as unknown;
      assert.equal(formOf(card, pair), 'presence');
      const empties = { ...CARD_1_0, description: '', securityRequirements: [{ schemes: { key: { list: [] } } }] };
      assert.equal(formOf(JSON.parse(JSON.stringify(await signs(empties as never))), pair), 'no-empties');
    });
  }
});

describe('the official Python SDK', python, () => {
  it('reads cards that we call valid as we do, each version by its own SDK', async () => {
    const [modern, old] = await ask([
      { operation: 'reparse', card: CARD_1_0 },
      { operation: 'reparse', card: ONE_FLOW },
    ]);
    assert.deepEqual(modern, CARD_1_0);
    assert.deepEqual(validateCard(old, '1.0').faults, []);
    assert.deepEqual(await ask([{ operation: 'reparse', card: CARD_0_3 }], '0.3'), [CARD_0_3]);
  });

  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
    it(`verifies what we sign, and we what it signs: ${algorithm}`, async () => {
      const pair = named(algorithm);
      const ours = signed(CARD_1_0, pair);
      const empties = { ...CARD_1_0, securityRequirements: [{ schemes: { key: { list: [] } } }] };
      const verify = { operation: 'verify', jwk: pair.open };
      const sign = { operation: 'sign', jwk: pair.secret };
      const [isOurs, isOther, whole, stripped, foreign] = await ask([
        { ...verify, card: ours },
        { ...verify, card: { ...ours, version: '9' } },
        { ...sign, card: CARD_1_0 },
        { ...sign, card: empties },
        { ...sign, card: { ...CARD_1_0, name: 'Ägent' } },
      ]);
      assert.deepEqual([isOurs, isOther], [true, false]);
      assert.equal(formOf(whole, pair), 'presence');
      assert.equal(formOf(stripped, pair), 'no-empties');
      assert.equal(formOf(foreign, pair), 'presence');
    });
  }
});
