export type { CallerAction } from '../caller-actions.js'
export type { PatternClient } from '../sending/pattern-client.js'
export {
  type Enqueued,
  type EnqueueOptions,
  type PreparedOperation,
  type Queue,
  queue,
  type WorkOptions,
} from './queue.js'
export type { QueueOptions } from './queue-options.js'
export type { DeadLetter, QueueStats } from './queue-state.js'
export { queueTable } from './queue-table.js'
export type { Handler, Operation, WorkReport } from './work-off.js'
