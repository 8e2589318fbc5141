import type { TaskId } from '../src/core/thread/ids.ts';
import type { Agent, Agents, CallOptions, EventSink, Outgoing, StreamEnd } from '../src/ports/agent.ts';
import type { AgentServer } from './agent-server.ts';
import type { Pipe } from './agent-task.ts';
import type { Life } from './machine.ts';
import { Network } from './network.ts';
import type { Setting } from './setting.ts';
import type { SimSpace } from './sim-space.ts';
import { SimStream } from './sim-stream.ts';

/** What the auditor sees of the calls that a process makes, at the moment at which it makes them. */
export interface CallWatcher {
  sending(life: Life, message: Outgoing, agent: string): void;
  sendEnded(life: Life, message: Outgoing, end: StreamEnd): void;
  calling(life: Life, call: 'subscribe' | 'get' | 'cancel', task: TaskId, agent: string): void;
}

/** The agents, as one process reaches them. */
export function simAgents(
  setting: Setting,
  life: Life,
  { servers, space }: { readonly servers: ReadonlyMap<string, AgentServer>; readonly space: SimSpace },
  watcher: CallWatcher,
): Agents {
  const network = new Network(setting, life);
  const agents = new Map<string, Agent>();
  for (const [name, server] of servers) agents.set(name, simAgent(setting, life, network, server, watcher));
  return {
    agentFor: (binding, chosen) => agents.get(chosen ?? binding),
    async choose(_, words, options) {
      const choice = await network.call(() => space.route(words), options);
      setting.trace.note(life.name, `asks who takes ${words}: ${choice.kind === 'agent' ? choice.agent : choice.kind}`);
      return choice;
    },
    describe: () => undefined,
  };
}

function simAgent(setting: Setting, life: Life, network: Network, server: AgentServer, watcher: CallWatcher): Agent {
  const note = (what: string) => setting.trace.note(life.name, what);
  const stream = (sink: EventSink, options: CallOptions, arrived: (pipe: Pipe) => void, task?: TaskId) =>
    new Promise<StreamEnd>((resolve) => {
      const unwatch = (pipe: Pipe) => {
        for (const open of task === undefined ? server.openTasks() : [server.task(task)]) open?.unwatch(pipe);
      };
      const open = new SimStream(setting, life, network, { sink, options, ended: resolve, unwatch });
      network.request(
        (back) => arrived(open.pipe(back)),
        (failure) => open.end(failure),
      );
    });
  return {
    async send(message, sink, options) {
      note(`sends ${message.messageId} in ${message.contextId ?? 'no context'}`);
      watcher.sending(life, message, server.name);
      const end = await stream(sink, options, (pipe) => server.send(message, pipe));
      note(`send of ${message.messageId} ended ${end.kind} ${'why' in end ? end.why : ''}`);
      watcher.sendEnded(life, message, end);
      return end;
    },
    async subscribe(taskId, sink, options) {
      note(`subscribes to ${taskId}`);
      watcher.calling(life, 'subscribe', taskId, server.name);
      const end = await stream(sink, options, (pipe) => server.subscribe(taskId, pipe), taskId);
      note(`subscription to ${taskId} ended ${end.kind} ${'why' in end ? end.why : ''}`);
      return end;
    },
    async getTask(taskId, options) {
      watcher.calling(life, 'get', taskId, server.name);
      const read = await network.call(() => server.getTask(taskId), options);
      note(`read ${taskId}: ${read.kind === 'task' ? read.task.status.state : read.kind}`);
      return read;
    },
    async cancelTask(taskId, options) {
      note(`cancels ${taskId}`);
      watcher.calling(life, 'cancel', taskId, server.name);
      const read = await network.call(() => server.cancelTask(taskId), options);
      note(`cancel of ${taskId}: ${read.kind === 'task' ? read.task.status.state : read.kind}`);
      return read;
    },
    async findTurn({ contextId, messageId }, options) {
      const lookup = await network.call(() => server.findTurn(contextId, messageId), options);
      note(`looked for ${messageId} in ${contextId}: ${lookup.kind}`);
      return lookup;
    },
  };
}
