import { taskStoreContract } from '../../contract/task-store.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { MemoryTaskStore } from './memory-task-store.ts';

taskStoreContract({
  name: 'memory',
  make: async () => new MemoryTaskStore(),
  keeps: {
    finishedTasks: AGENT_LIMITS.finishedTasks,
    pausedTasks: AGENT_LIMITS.pausedTasks,
    contexts: AGENT_LIMITS.rememberedContexts,
  },
});
