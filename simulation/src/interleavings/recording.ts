import { AsyncLocalStorage } from 'node:async_hooks'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { KeyShards } from 'isotherm'
import type { Client } from '../workloads/workload.js'
import type { Attempt, Journey, Journeys } from '../world/journey.js'
import type { Process, ProcessOptions } from '../world/process.js'
import type { Happening, WorldRecorder } from '../world/world-recorder.js'

/** One attempt of a request, and what became of it. */
export interface RecordedAttempt {
  readonly operation: string
  readonly input: object
  readonly fate: Journey['fate']
  delayMilliseconds: number
  answerMilliseconds: number
  /** Of a batch, how long after its arrival each item was read or written. */
  readonly parts: { readonly part: object; readonly milliseconds: number }[]
}

/** What an application asked a process for. */
export type RecordedAction =
  | { readonly kind: 'command'; readonly operation: string; readonly input: object }
  | {
      readonly kind: 'shards'
      readonly call: string
      readonly table: string
      readonly key: string
      readonly argument: unknown
    }
  /** Past the library. */
  | { readonly kind: 'plain'; readonly operation: string; readonly input: object }
  | Happening

export interface RecordedStep {
  /** Milliseconds since the load began. */
  readonly at: number
  readonly process: string
  readonly action: RecordedAction
  readonly attempts: RecordedAttempt[]
}

/** Stands for the program that stored items before the load began. */
export const BEFORE = 'before'

interface AnyCommand {
  readonly input: object
}

/** Writes down what happens in a run: what is asked of each process, what becomes of each request, and what goes wrong. */
export class Recording implements WorldRecorder {
  readonly steps: RecordedStep[] = []
  readonly #current = new AsyncLocalStorage<RecordedStep>()
  #elapsed = () => 0

  begin(elapsed: () => number): void {
    this.#elapsed = elapsed
  }

  /** An item was stored in the service before the load began. */
  stored(table: string, item: object): void {
    const action = { kind: 'plain', operation: 'PutItem', input: { TableName: table, Item: item } } as const
    this.steps.push({ at: 0, process: BEFORE, action, attempts: [] })
  }

  spawned(options: ProcessOptions): void {
    this.#add(options.name, { kind: 'spawn', options })
  }

  happened(process: Process, happening: Happening): void {
    this.#add(process.name, happening)
  }

  /** Journeys whose times are written down. */
  recorded(journeys: Journeys): Journeys {
    return { begin: (attempt) => this.#recordedJourney(attempt, journeys.begin(attempt)) }
  }

  /** The client that an application uses. */
  client({ name }: Process, db: Client): Client {
    const send = (command: AnyCommand, options?: object) => {
      const action = { kind: 'command', operation: operationOf(command), input: command.input } as const
      return this.#during(name, action, () => db.send(command as never, options as never))
    }
    const shards = (table: string, key: string) => this.#shards(name, db.shards(table, key), table, key)
    return Object.create(db, { send: { value: send }, shards: { value: shards } }) as Client
  }

  /** The client of a program that does not know the library. */
  plain({ name }: Process, client: DynamoDBClient): DynamoDBClient {
    const send = (command: AnyCommand) => {
      const action = { kind: 'plain', operation: operationOf(command), input: command.input } as const
      return this.#during(name, action, () => client.send(command as never))
    }
    return Object.create(client, { send: { value: send } }) as DynamoDBClient
  }

  #shards(name: string, shards: KeyShards, table: string, key: string): KeyShards {
    const recorded = (call: 'read' | 'set' | 'drain' | 'resume') => ({
      value: (argument: never) => {
        const action = { kind: 'shards', call, table, key, argument } as const
        return this.#during(name, action, () => shards[call](argument) as Promise<unknown>)
      },
    })
    return Object.create(shards, {
      read: recorded('read'),
      set: recorded('set'),
      drain: recorded('drain'),
      resume: recorded('resume'),
    }) as KeyShards
  }

  #during<T>(process: string, action: RecordedAction, work: () => Promise<T>): Promise<T> {
    return this.#current.run(this.#add(process, action), work)
  }

  #add(process: string, action: RecordedAction): RecordedStep {
    const step = { at: this.#elapsed(), process, action, attempts: [] }
    this.steps.push(step)
    return step
  }

  #recordedJourney({ operation, input }: Attempt, journey: Journey): Journey {
    const attempt: RecordedAttempt = {
      operation,
      input,
      fate: journey.fate,
      delayMilliseconds: 0,
      answerMilliseconds: 0,
      parts: [],
    }
    this.#current.getStore()?.attempts.push(attempt)
    return {
      ...journey,
      delayMilliseconds: () => {
        attempt.delayMilliseconds = journey.delayMilliseconds()
        return attempt.delayMilliseconds
      },
      answerMilliseconds: () => {
        attempt.answerMilliseconds = journey.answerMilliseconds()
        return attempt.answerMilliseconds
      },
      partMilliseconds: (part, arrivedAt) => {
        const milliseconds = journey.partMilliseconds(part, arrivedAt)
        attempt.parts.push({ part, milliseconds })
        return milliseconds
      },
    }
  }
}

function operationOf(command: object): string {
  return command.constructor.name.slice(0, -'Command'.length)
}
