import { Courier } from '../src/courier/courier.ts';
import type { Deliveries } from '../src/courier/delivery/deliveries.ts';
import type { World } from '../src/courier/world.ts';
import type { Chat } from '../src/ports/chat.ts';
import type { Observation } from '../src/ports/observer.ts';
import type { Registry } from '../src/ports/registry.ts';
import type { AgentServer } from './agent-server.ts';
import type { Auditor } from './auditor.ts';
import type { Findings } from './findings.ts';
import { idsOf, Life, Machine } from './machine.ts';
import { isMark } from './marks.ts';
import type { Prng } from './prng.ts';
import type { Readers } from './readers.ts';
import type { Setting } from './setting.ts';
import { simAgents } from './sim-agent.ts';
import { type Posting, simDeliveries } from './sim-deliveries.ts';
import type { SimSpace } from './sim-space.ts';
import { SimStore } from './sim-store.ts';

/** SIGTERM: everything that runs is left within this time (issue: exit 0 within 10 s), stalls of the disk apart. */
const DRAIN_MS = 10_000;

export interface Around {
  readonly servers: ReadonlyMap<string, AgentServer>;
  readonly space: SimSpace;
  readonly auditor: Auditor;
  readonly readers: Readers;
  readonly findings: Findings;
  readonly registry: Registry;
  /** A planted bug: the world as the courier is to see it. */
  readonly plant: (world: World, setting: Setting) => World;
  /** In runs with a platform that is posted to. */
  readonly posting: Posting | undefined;
}

/** One machine and the couriers that live on it, one after another. */
export class Host {
  readonly machine: Machine;
  readonly #setting: Setting;
  readonly #around: Around;
  readonly #chances: Prng;
  #lives = 0;
  #life: Life | undefined;
  #courier: Courier | undefined;
  #deliveries: Deliveries | undefined;
  #leaving = false;

  constructor(setting: Setting, name: string, around: Around) {
    this.#setting = setting;
    this.#around = around;
    this.machine = new Machine(name, setting.scheduler);
    this.#chances = setting.chances('life');
  }

  /** The courier that takes messages now, if one lives. */
  get open(): { readonly courier: Courier; readonly life: Life } | undefined {
    const life = this.#life;
    const courier = this.#courier;
    return life?.alive && courier ? { courier, life } : undefined;
  }

  start(): void {
    const { findings, readers } = this.#around;
    const life = new Life(`${this.machine.name}${++this.#lives}`);
    this.#life = life;
    this.#leaving = false;
    this.#note('starts');
    readers.follow(life);
    this.#courier = new Courier(this.#world(life));
    this.#courier.start().catch((error: unknown) => findings.add(`${life.name} could not start: ${error}`));
    void this.#deliveries?.start();
  }

  crash(): void {
    const life = this.#life;
    if (!life?.alive) return;
    this.#note('dies');
    life.end();
    this.#startLater();
  }

  drain(andStart: boolean): void {
    const life = this.#life;
    const courier = this.#courier;
    if (!life?.alive || !courier || this.#leaving) return;
    this.#leaving = true;
    this.#setting.mark('drain');
    this.#note('drains');
    const { stall, stallMs } = this.#setting.swarm.disk;
    const callOff = this.#setting.scheduler.after(DRAIN_MS + (stall > 0 ? 4 * stallMs : 0), () => {
      if (!life.alive) return;
      this.#around.findings.add(`${life.name} does not come to its end`);
    });
    const over = () => {
      callOff();
      if (!life.alive) return;
      this.#note('has drained');
      life.drained = true;
      // What it does wrongly after its end is seen for a while.
      this.#setting.scheduler.after(this.#chances.between(0, 2_000), () => {
        life.end();
        if (andStart) this.#startLater();
      });
    };
    const drained = (this.#deliveries?.leave() ?? Promise.resolve()).then(() => courier.drain());
    drained.then(over, (error: unknown) => this.#around.findings.add(`${life.name} could not drain: ${error}`));
  }

  #startLater(): void {
    this.#setting.scheduler.after(this.#chances.between(0, 20_000), () => {
      if (!this.#life?.alive) this.start();
    });
  }

  #world(life: Life): World {
    const { servers, space, auditor, registry, plant, posting } = this.#around;
    const { chances } = this.#setting;
    const store = new SimStore(this.#setting, life, () => this.crash());
    const world: World = {
      store,
      agents: simAgents(this.#setting, life, { servers, space }, auditor),
      registry,
      chats: new Map([['sim', this.#chat(life)]]),
      clock: this.machine.clockOf(life),
      ids: idsOf(life, chances('jitter')),
      observe: (observation) => this.#observe(life, observation),
    };
    const planted = plant(world, this.#setting);
    const courier = () => this.#courierOf(life);
    this.#deliveries = posting && simDeliveries(this.#setting, life, posting, { store, world, courier });
    return planted;
  }

  #courierOf(life: Life): Courier {
    const courier = this.#life === life ? this.#courier : undefined;
    if (!courier) throw new Error(`${life.name} is gone`);
    return courier;
  }

  #chat(life: Life): Chat {
    return {
      platform: 'sim',
      displayName: 'Sim',
      show: (update) => {
        if (!life.alive) return;
        const shown = update.entries.map((entry) => `${entry.id} ${'text' in entry ? entry.text : ''}`).join(' | ');
        this.#setting.trace.note(
          life.name,
          `shows ${update.thread} ${update.live ? 'live' : ''} ${update.revision} ${shown}`,
        );
        this.#around.readers.show(life, update);
        this.#deliveries?.show(update);
      },
    };
  }

  #observe(life: Life, observation: Observation): void {
    if (!life.alive) return;
    const { event } = observation;
    if (event === 'call-failed') return;
    this.#setting.trace.note(
      life.name,
      `${event} ${'turn' in observation ? observation.turn : ''} ${'outcome' in observation ? observation.outcome : ''}`,
    );
    const words = [event, ...('outcome' in observation ? [`settled-${observation.outcome}`] : [])];
    if ('reason' in observation) words.push(`retried-${observation.reason}`);
    for (const word of words) if (isMark(word)) this.#setting.mark(word);
  }

  #note(what: string): void {
    this.#setting.trace.note(this.#life?.name ?? this.machine.name, what);
  }
}
