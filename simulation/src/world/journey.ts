import type { Process } from './process.js'

/** What becomes of one attempt. `500 after`: the service has carried it out all the same. */
export type Fate =
  | 'arrives'
  | 'request lost'
  | 'reply lost'
  | 'late'
  | '500 before'
  | '500 after'
  | 'conflict'
  | 'throttled'

/** One attempt, at the moment when its process sends it. */
export interface Attempt {
  readonly process: Process
  readonly operation: string
  readonly input: object
  /** Milliseconds of the world. */
  readonly at: number
}

/** The way of one attempt to the service and back. Times are asked for one by one, when they are needed. */
export interface Journey {
  readonly fate: Fate
  /** How long its process waits for an answer. */
  readonly timeoutMilliseconds: number
  /** Whether the items of a batch are read or written at different moments. */
  readonly isSpread: boolean
  /** From the process to the service. */
  delayMilliseconds(): number
  /** From the service to the process. */
  answerMilliseconds(): number
  /** From the arrival of a batch until one of its items is read or written. */
  partMilliseconds(part: object, arrivedAt: number): number
}

/** Decides on the journey of each attempt. */
export interface Journeys {
  begin(attempt: Attempt): Journey
}

export const WRITES: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

export const READS: ReadonlySet<string> = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan'])
