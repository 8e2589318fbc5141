import type { TaskId } from '../src/core/thread/ids.ts';
import type { DeliveryWorld } from '../src/courier/delivery/delivery-world.ts';
import type { World } from '../src/courier/world.ts';
import type { Outgoing } from '../src/ports/agent.ts';
import type { Backend, Binding, Registry } from '../src/ports/registry.ts';
import { AgentServer, type Run } from './agent-server.ts';
import { auditEnd } from './audit-end.ts';
import { Auditor } from './auditor.ts';
import { AGENTS_OF_SPACE, BINDINGS } from './bindings.ts';
import { Findings } from './findings.ts';
import { Host } from './host.ts';
import type { Plant } from './plant.ts';
import { Platform } from './platform.ts';
import { PostAudit } from './post-audit.ts';
import { Readers } from './readers.ts';
import type { Setting } from './setting.ts';
import { SimSpace } from './sim-space.ts';
import { healed, type Swarm } from './swarm.ts';
import { Workload } from './workload.ts';

/** After all is settled, for what is still on its way. */
const AFTERGLOW_MS = 60_000;
/** What was not posted yet, with its looks, its repeats and the check after each. */
const POSTING_MS = 600_000;
const MOST_STEPS = 200_000;

/** One run: the world with its faults, its healing, and the last account. */
export class Story {
  readonly findings = new Findings();
  readonly #setting: Setting;
  readonly #auditor: Auditor;
  readonly #readers: Readers;
  readonly #servers: ReadonlyMap<string, AgentServer>;
  readonly #hosts: readonly Host[];
  readonly #workload: Workload;

  readonly #posts: PostAudit | undefined;

  constructor(setting: Setting, plant: Plant) {
    const { scheduler, mark, disk, swarm } = setting;
    const { findings } = this;
    this.#setting = setting;
    const auditor = new Auditor(findings, mark, () => scheduler.nowMs, disk);
    const readers = new Readers(disk, findings);
    disk.watchers.push(auditor, readers);
    const servers = new Map<string, AgentServer>();
    const told = {
      ran: (run: Run) => auditor.ran(run, openTasks(servers)),
      answered: (message: Outgoing, task: TaskId) => auditor.answered(message, task),
    };
    const names = [...BINDINGS.filter((name) => name !== 'space'), ...AGENTS_OF_SPACE];
    for (const [index, name] of names.entries()) servers.set(name, new AgentServer(setting, name, index, told));
    const platform = new Platform(setting);
    const posts = swarm.platform && new PostAudit(disk, platform, findings, mark);
    const around = {
      servers,
      space: new SimSpace(setting),
      auditor,
      readers,
      findings,
      registry: registryOf(swarm),
      plant: plant.world ?? ((world: World) => world),
      posting: posts && { platform, audit: posts, plant: plant.delivery ?? ((world: DeliveryWorld) => world) },
    };
    this.#posts = posts;
    this.#hosts = ['A', 'B'].slice(0, swarm.couriers).map((name) => new Host(setting, name, around));
    this.#workload = new Workload(setting, this.#hosts, around);
    disk.watchers.push(this.#workload);
    this.#auditor = auditor;
    this.#readers = readers;
    this.#servers = servers;
  }

  async tell(): Promise<void> {
    for (const host of this.#hosts) host.start();
    this.#workload.begin();
    this.#planFaults();
    const { scheduler, swarm } = this.#setting;
    scheduler.at(swarm.faultsForMs, () => this.#heal());
    if (!(await this.#until(() => scheduler.nowMs >= swarm.faultsForMs))) return;
    const boundMs = scheduler.nowMs + boundOf(swarm);
    const settled = () => this.#workload.quiet && this.#setting.disk.owing(1).length === 0 && !this.#owesPosts();
    if (!(await this.#until(() => settled() || scheduler.nowMs > boundMs))) return;
    if (!settled())
      this.findings.add(
        `not settled ${boundOf(swarm)} ms after healing: owing ${this.#setting.disk.owing(10).join(', ')}`,
      );
    const endMs = scheduler.nowMs + AFTERGLOW_MS;
    if (!(await this.#until(() => scheduler.nowMs >= endMs))) return;
    auditEnd(this.#auditor, this.#setting.disk, this.#servers.values(), this.findings);
    this.#readers.audit();
    this.#workload.audit();
    if (swarm.platform) this.#posts?.audit(swarm.platform);
  }

  #owesPosts(): boolean {
    return this.#posts !== undefined && this.#setting.disk.undelivered('sim', 1).length > 0;
  }

  /** `false`: something was found, and the story ends there. */
  async #until(done: () => boolean): Promise<boolean> {
    while (!done()) {
      if (!(await this.#setting.scheduler.step())) return this.#found('nothing is left to happen');
      if (this.#setting.scheduler.steps > MOST_STEPS) return this.#found(`more than ${MOST_STEPS} steps`);
      if (this.findings.all.length > 0) return false;
    }
    return true;
  }

  #found(what: string): false {
    this.findings.add(what);
    return false;
  }

  #planFaults(): void {
    const { scheduler, swarm, chances, mark, trace } = this.#setting;
    const prng = chances('faults');
    const anywhen = () => prng.between(0, swarm.faultsForMs);
    const anyHost = () => this.#hosts[prng.between(0, this.#hosts.length - 1)];
    for (let count = 0; count < swarm.life.crashes; count++) {
      const host = anyHost();
      scheduler.at(anywhen(), () => {
        if (host?.open) mark('crash-at-any-moment');
        host?.crash();
      });
    }
    for (let count = 0; count < swarm.life.drains; count++) {
      const host = anyHost();
      scheduler.at(anywhen(), () => host?.drain(true));
    }
    for (let count = 0; count < swarm.life.jumps; count++) {
      const host = anyHost();
      const byMs = prng.between(-swarm.life.jumpMs, swarm.life.jumpMs);
      scheduler.at(anywhen(), () => {
        mark(byMs < 0 ? 'clock-back' : 'clock-forward');
        trace.note(host?.machine.name ?? '', `clock jumps by ${byMs}`);
        host?.machine.jump(byMs);
      });
    }
  }

  #heal(): void {
    this.#setting.swarm = healed(this.#setting.swarm);
    this.#setting.trace.note('world', 'heals');
  }
}

function openTasks(servers: ReadonlyMap<string, AgentServer>): ReadonlySet<TaskId> {
  return new Set([...servers.values()].flatMap((server) => server.openTasks().map(({ id }) => id)));
}

/** How long everything may take after healing: each turn of the fullest thread with every wait that it can have. */
function boundOf({ timings, people, life, disk, platform }: Swarm): number {
  const { giveUpAfterMs, lifelessAfterMs, streamIdleMs, responseHeadersMs, retryBackoffMaxMs, cancelAttempts } =
    timings;
  const requests = 3 * (ALLOWED.questions.timeoutMs + giveUpAfterMs);
  const calls = requests + responseHeadersMs * 4 + (retryBackoffMaxMs + responseHeadersMs) * 2 * cancelAttempts;
  const turn = giveUpAfterMs + 2 * (lifelessAfterMs + streamIdleMs) + calls + 60_000;
  return (people.messages + 1) * turn + 4 * life.jumpMs + 10 * disk.stallMs + 120_000 + (platform ? POSTING_MS : 0);
}

const ALLOWED = { questions: { timeoutMs: 20_000 }, toolApprovals: { timeoutMs: 20_000 } };

function registryOf({ timings }: Swarm): Registry {
  const backend: Backend = { name: 'agent', dialect: 'a2a', url: 'http://agent.test', headers: [], egress: 'direct' };
  const space = { name: 'space', url: 'http://space.test', id: 'sim', pick: { by: 'message' } } as const;
  const bindings = new Map<string, Binding>();
  for (const name of BINDINGS)
    bindings.set(name, {
      name,
      ...(name === 'space' ? { space } : { backend, identity: { userId: 'u' } }),
      chat: { platform: 'sim', channels: [], directMessages: false },
      interactions: name === 'ops' ? ALLOWED : {},
    });
  const configuration = { bindings, platforms: new Map(), timings, store: { kind: 'sqlite' as const } };
  return { current: () => configuration, watch: () => () => {}, problems: () => [] };
}
