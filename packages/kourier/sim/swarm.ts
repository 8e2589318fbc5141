import type { Timings } from '../src/core/timings.ts';
import type { Prng } from './prng.ts';

/** Which faults exist in one run, and how strong. Chances are of each occasion; 0 means that there is none. */
export interface Swarm {
  readonly couriers: number;
  readonly network: NetworkFaults;
  readonly disk: DiskFaults;
  readonly life: LifeFaults;
  readonly agents: readonly AgentTraits[];
  readonly people: People;
  /** Half of the runs have a platform that is posted to. */
  readonly platform: PlatformFaults | undefined;
  readonly timings: Timings;
  readonly faultsForMs: number;
}

export interface NetworkFaults {
  readonly latencyMs: readonly [number, number];
  readonly refused: number;
  readonly lostBefore: number;
  readonly lostAfter: number;
  readonly late: number;
  readonly doubled: number;
  /** Of a stream: it breaks, or falls silent, after some events. */
  readonly cut: number;
  readonly silent: number;
}

export interface DiskFaults {
  readonly latencyMs: readonly [number, number];
  readonly failing: number;
  readonly stall: number;
  readonly stallMs: number;
  /** Answers may overtake each other, as over several connections. */
  readonly unordered: boolean;
}

export interface LifeFaults {
  /** At each commit: just before it is durable, and just after. */
  readonly crashBeforeCommit: number;
  readonly crashAfterCommit: number;
  /** At any moment, so many in the run. */
  readonly crashes: number;
  readonly drains: number;
  readonly jumps: number;
  readonly jumpMs: number;
}

/** What kind of agent it is. The first four are contract; the rest agents may do. */
export interface AgentTraits {
  readonly dedupes: boolean;
  readonly list: 'with-history' | 'without-history' | 'absent' | 'unsupported';
  readonly subscribe: 'yes' | 'unsupported' | 'not-when-ended';
  readonly keepsContext: number;
  readonly paceMs: number;
  /** Its store shows a task's end so much later than its stream. */
  readonly lagMs: number;
  readonly closesWhileWorking: number;
  readonly busy: number;
  readonly refusing: number;
  readonly failing5xx: number;
  readonly rejecting: number;
  readonly credentials: number;
  readonly forgets: number;
  readonly cancel: 'yes' | 'slow' | 'refused' | 'unsupported' | 'failing';
  /** Tasks that ask a person something. */
  readonly asks: number;
  /** Turns that are no plain task with an answer. */
  readonly odd: number;
}

export interface PlatformFaults {
  readonly latencyMs: readonly [number, number];
  /** 429: certainly not done. */
  readonly limited: number;
  readonly lostBefore: number;
  readonly lostAfter: number;
  readonly late: number;
  readonly lateEdits: number;
  /** Messages that it takes in no form. */
  readonly refused: number;
  /** Messages that people delete. */
  readonly deletes: number;
  /** A look finds a message so much later. */
  readonly lagMs: number;
}

export interface People {
  readonly threads: number;
  readonly messages: number;
  readonly withinMs: number;
  readonly asides: number;
  readonly triggers: number;
  readonly keyless: number;
  readonly repeats: number;
  readonly stops: number;
  /** Requests that nobody answers. */
  readonly silence: number;
  /** Requests that two people answer at once. */
  readonly rivals: number;
  /** A person who got no answer asks again with the same key. */
  readonly impatientAfterMs: number;
}

/** Half of the seeds do without a fault; where it exists its strength is drawn too. */
function maybe(prng: Prng, most: number): number {
  return prng.chance(0.5) ? 0 : most * prng.fraction() ** 2;
}

/** Each part has its own stream, so that a new draw in one does not change the others. */
export function drawSwarm(prng: Prng): Swarm {
  const swarm = drawParts(prng);
  const { life, platform, agents } = swarm;
  if (!platform) return swarm;
  // A clock that leaps ahead takes away the time that a late call is waited for: no run has both.
  if (life.jumps > 0) return { ...swarm, platform: { ...platform, late: 0, lateEdits: 0 } };
  if (platform.lateEdits === 0) return swarm;
  // An edit is overtaken by another one only while its text still grows, and the platform follows it.
  const slow = agents.map((agent) => ({ ...agent, paceMs: 3_000 }));
  return { ...swarm, agents: slow, platform: { ...platform, latencyMs: [0, 3] }, faultsForMs: 180_000 };
}

function drawParts(prng: Prng): Swarm {
  return {
    couriers: prng.fork('couriers').chance(0.4) ? 2 : 1,
    network: drawNetwork(prng.fork('network')),
    disk: drawDisk(prng.fork('disk')),
    life: drawLife(prng.fork('life')),
    agents: ['first', 'second', 'third', 'fourth'].map((which) => drawAgent(prng.fork(`${which} agent`))),
    people: drawPeople(prng.fork('people')),
    platform: drawPlatform(prng.fork('platform')),
    timings: drawTimings(prng.fork('timings')),
    faultsForMs: prng.fork('faults').one([5_000, 60_000, 180_000]),
  };
}

function drawDisk(prng: Prng): DiskFaults {
  return {
    latencyMs: prng.one<readonly [number, number]>([
      [0, 0],
      [0, 2],
      [1, 20],
      [5, 300],
    ]),
    failing: maybe(prng, 0.1),
    stall: maybe(prng, 0.05),
    stallMs: prng.one([500, 5_000, 40_000]),
    unordered: prng.chance(0.3),
  };
}

function drawLife(prng: Prng): LifeFaults {
  return {
    crashBeforeCommit: maybe(prng, 0.15),
    crashAfterCommit: maybe(prng, 0.15),
    crashes: prng.chance(0.5) ? 0 : prng.between(1, 4),
    drains: prng.chance(0.7) ? 0 : prng.between(1, 3),
    jumps: prng.chance(0.7) ? 0 : prng.between(1, 3),
    jumpMs: prng.one([2_000, 20_000, 90_000]),
  };
}

function drawPeople(prng: Prng): People {
  return {
    threads: prng.between(1, 5),
    messages: prng.between(1, 20),
    withinMs: prng.one([50, 2_000, 30_000, 120_000]),
    asides: prng.one([0, 0.2, 0.5]),
    triggers: prng.one([0, 0.2]),
    keyless: prng.one([0, 0.3]),
    repeats: prng.one([0, 0.3]),
    stops: prng.one([0, 0, 0.1, 0.4]),
    impatientAfterMs: prng.one([2_000, 15_000]),
    silence: prng.one([0, 0.2]),
    rivals: prng.one([0, 0.4]),
  };
}

function drawPlatform(prng: Prng): PlatformFaults | undefined {
  if (prng.chance(0.5)) return undefined;
  return {
    latencyMs: prng.one<readonly [number, number]>([
      [0, 3],
      [20, 300],
      [100, 2_000],
    ]),
    limited: maybe(prng, 0.5),
    lostBefore: maybe(prng, 0.4),
    lostAfter: maybe(prng, 0.4),
    late: maybe(prng, 0.4),
    lateEdits: prng.one([0, 0, 0.3, 0.7]),
    refused: maybe(prng, 0.2),
    deletes: maybe(prng, 0.3),
    lagMs: prng.one([0, 0, 1_500]),
  };
}

function drawNetwork(prng: Prng): NetworkFaults {
  return {
    latencyMs: prng.one<readonly [number, number]>([
      [0, 0],
      [0, 3],
      [5, 50],
      [20, 900],
    ]),
    refused: maybe(prng, 0.3),
    lostBefore: maybe(prng, 0.3),
    lostAfter: maybe(prng, 0.3),
    late: maybe(prng, 0.2),
    doubled: maybe(prng, 0.2),
    cut: maybe(prng, 0.5),
    silent: maybe(prng, 0.3),
  };
}

function drawAgent(prng: Prng): AgentTraits {
  const honest = prng.chance(0.5);
  return {
    dedupes: honest || prng.chance(0.5),
    list: honest ? 'with-history' : prng.one(['with-history', 'without-history', 'absent', 'unsupported']),
    subscribe: prng.one(['yes', 'yes', 'unsupported', 'not-when-ended']),
    keepsContext: prng.one([1, 1, 0.7]),
    paceMs: prng.one([0, 5, 200, 3_000]),
    lagMs: prng.one([0, 0, 300, 6_000]),
    closesWhileWorking: maybe(prng, 0.3),
    busy: maybe(prng, 0.4),
    refusing: maybe(prng, 0.2),
    failing5xx: maybe(prng, 0.3),
    rejecting: maybe(prng, 0.15),
    credentials: maybe(prng, 0.03),
    forgets: maybe(prng, 0.1),
    cancel: prng.one(['yes', 'yes', 'slow', 'refused', 'unsupported', 'failing']),
    odd: prng.one([0, 0.2, 0.6]),
    asks: prng.one([0, 0.3, 0.8]),
  };
}

function drawTimings(prng: Prng): Timings {
  const unit = prng.one([100, 1_000, 1_000, 5_000]);
  return {
    responseHeadersMs: unit * prng.one([1, 3, 30]),
    streamIdleMs: unit * prng.one([2, 10, 60]),
    streamDropDelayMs: prng.one([10, unit]),
    followBackoffInitialMs: prng.one([10, unit]),
    followBackoffMaxMs: unit * prng.one([2, 10]),
    retryBackoffInitialMs: prng.one([10, unit]),
    retryBackoffMaxMs: unit * prng.one([2, 10]),
    giveUpAfterMs: unit * prng.one([5, 30, 120]),
    busyNoticeAfterMs: unit * prng.one([1, 10, 30]),
    lifelessAfterMs: unit * prng.one([10, 60, 200]),
    cancelAttempts: prng.one([1, 3, 5]),
  };
}

/** No fault at all: what the first story and the time after healing are like. */
export function healed(swarm: Swarm): Swarm {
  return {
    ...swarm,
    network: { ...NO_NETWORK_FAULTS, latencyMs: swarm.network.latencyMs },
    disk: { ...swarm.disk, failing: 0, stall: 0 },
    life: NO_LIFE_FAULTS,
    agents: swarm.agents.map(calmed),
    platform: swarm.platform && {
      ...swarm.platform,
      limited: 0,
      lostBefore: 0,
      lostAfter: 0,
      late: 0,
      lateEdits: 0,
      deletes: 0,
    },
  };
}

/** It is still the kind of agent that it is. */
function calmed(traits: AgentTraits): AgentTraits {
  return { ...traits, busy: 0, refusing: 0, failing5xx: 0, rejecting: 0, credentials: 0, forgets: 0, keepsContext: 1 };
}

const NO_NETWORK_FAULTS: NetworkFaults = {
  ...{ latencyMs: [0, 3], refused: 0, lostBefore: 0, lostAfter: 0, late: 0, doubled: 0, cut: 0, silent: 0 },
};

const NO_LIFE_FAULTS: LifeFaults = {
  ...{ crashBeforeCommit: 0, crashAfterCommit: 0, crashes: 0, drains: 0, jumps: 0, jumpMs: 0 },
};

/** One line a part, without what does not exist in this run. */
export function describeSwarm(swarm: Swarm): string {
  return Object.entries(swarm)
    .map(
      ([part, value]) => `  ${part}: ${JSON.stringify(value, (_, inner) => (inner === 0 ? undefined : short(inner)))}`,
    )
    .join('\n');
}

const short = (value: unknown): unknown => (typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value);
