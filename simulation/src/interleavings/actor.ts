import { AsyncLocalStorage } from 'node:async_hooks'
import { randomInteger, SeededRandom } from '@isotherm/runtime'
import type { IsothermEvent } from 'isotherm'
import type { Client } from '../workloads/workload.js'
import type { Library } from '../world/library.js'
import { lightClient } from '../world/light-client.js'
import { Process } from '../world/process.js'
import { chanceFor } from '../world/seeds.js'
import { durationOf } from './duration.js'
import { eventText } from './event-text.js'
import type { Options, ScriptTable } from './script.js'
import type { ActiveRule, ScriptedNetwork } from './scripted-network.js'
import type { Stage } from './stage.js'
import { shardedTableOptions } from './table-options.js'

/** One step of a process that has begun. */
export interface Begun {
  readonly line: number
  readonly actor: Actor
  /** The rules for its own requests. */
  readonly rules: readonly ActiveRule[]
  /** Its answer, as a script writes it; `undefined` until it has one. */
  answer: string | undefined
  /** Whether the answer is an error. */
  isFailed: boolean
  /** The requests that it has sent. */
  readonly requests: string[]
  /** Whether the script looks at the answer. */
  isExpected: boolean
}

/** The step that a request belongs to, wherever in the library it is sent from. */
export const currentStep = new AsyncLocalStorage<Begun>()

/** A process of a script: the library with a cache, a clock and events of its own. */
export class Actor {
  readonly name: string
  readonly process: Process
  readonly db: Client
  /** The rules of the script for its requests, in the order of their lines. */
  readonly rules: ActiveRule[] = []
  readonly events: string[] = []
  /** What it began last. */
  last: Begun | undefined
  /** Where its last query ended. */
  cursor: unknown

  constructor(
    stage: Stage,
    network: ScriptedNetwork,
    { name, number, library, tables, options, attempts }: ActorOptions,
  ) {
    this.name = name
    const word = (option: string) => options.get(option)?.[0]
    this.process = new Process(stage.scheduler, {
      name,
      seed: Number(word('seed') ?? randomInteger(chanceFor(number, 2), 0, 2 ** 32 - 1)),
      rate: Number(word('rate') ?? 1),
      calendarOffset: durationOf(word('calendar') ?? '0s'),
    })
    const { clock, retryRandom } = this.process
    const client = lightClient(
      {
        clock,
        random: retryRandom,
        deliver: (operation, input) => network.send(this.process, operation, input),
      },
      attempts,
    )
    const send = async (command: { readonly input: object }, sending?: object) => {
      const operation = command.constructor.name.slice(0, -'Command'.length)
      await network.beforeSending(this.process, operation, command.input)
      return client.send(command as never, sending as never)
    }
    this.db = library.isotherm(Object.create(client, { send: { value: send } }) as typeof client, {
      tables: Object.fromEntries(
        tables.map((table) => [table.name, shardedTableOptions(library, table, options)]),
      ),
      clock: this.process.clock,
      random: new SeededRandom(randomInteger(this.process.random, 0, 2 ** 32 - 1)),
      onEvent: (event: IsothermEvent) => {
        this.events.push(eventText(event))
      },
    })
  }
}

interface ActorOptions {
  readonly name: string
  /** The seed where the script names none. */
  readonly number: number
  readonly library: Library
  readonly tables: readonly ScriptTable[]
  readonly options: Options
  readonly attempts: number
}
