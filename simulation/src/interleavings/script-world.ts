import { onNextTurn } from '@isotherm/runtime'
import type { Library } from '../world/library.js'
import { takenApart } from '../world/stored-items.js'
import type { WorkloadTable } from '../world/workload-table.js'
import { Actor, type Begun, currentStep } from './actor.js'
import { Always } from './always.js'
import { contentOf, type KeyedTable, type Path } from './paths.js'
import type { RequestRule } from './request-rule.js'
import { requestText } from './request-text.js'
import type { Options, Script } from './script.js'
import { ActiveRule, type Held, ScriptedNetwork } from './scripted-network.js'
import { Stage } from './stage.js'
import { type StageSettings, stageSettings } from './stage-settings.js'
import { shardedTableOptions } from './table-options.js'
import type { Attributes } from './values.js'

/** What has no answer after so long never will have one. */
const MAX_ANSWER_MILLISECONDS = 3_600_000

/** The service, the network and the processes of one script. */
export class ScriptWorld {
  readonly stage: Stage
  readonly always: Always
  readonly #rules: ActiveRule[] = []
  readonly #library: Library
  readonly #script: Script
  readonly #settings: StageSettings
  readonly #network: ScriptedNetwork
  readonly #actors = new Map<string, Actor>()
  readonly #held: Held[] = []
  readonly #tables: readonly WorkloadTable[]

  /** @throws Error for a setting or an option that there is not; ScriptError for such a rule */
  constructor(library: Library, script: Script) {
    this.#library = library
    this.#script = script
    this.#settings = stageSettings(script.settings)
    this.#tables = [...script.tables.values()].map((table) => ({
      ...table,
      sharded: shardedTableOptions(library, table, new Map()),
      operated: [],
    }))
    this.stage = new Stage(this.#settings)
    this.always = new Always(this.stage, this.#settings, this.#tables, script)
    this.#network = new ScriptedNetwork(this.stage.network, {
      defaults: this.stage.journeys,
      rulesOf: ({ name }) => [
        ...(currentStep.getStore()?.rules ?? []),
        ...(this.#actors.get(name)?.rules ?? []),
      ],
      onSent: (operation, input) => {
        currentStep.getStore()?.requests.push(requestText(operation, input))
      },
      onHeld: (held) => this.#hold(held),
      onCrash: ({ name }) => this.actor(name).process.crash(),
    })
  }

  prepare(): Promise<void> {
    return this.stage.prepare(this.#tables)
  }

  async close(): Promise<void> {
    for (const { db } of this.#actors.values()) db.destroy()
    await new Promise<void>(onNextTurn)
    await this.stage.lane.local.close()
  }

  /** Starts a process, with an empty cache. */
  spawn(name: string, options: Options): void {
    // What is stored before any process is there may take its time.
    if (this.#actors.size === 0) this.stage.start()
    const actor = new Actor(this.stage, this.#network, {
      name,
      number: this.#actors.size + 1,
      library: this.#library,
      tables: [...this.#script.tables.values()],
      options,
      attempts: this.#settings.attempts,
    })
    this.#actors.set(name, actor)
  }

  /** @throws Error where none has begun of this name */
  actor(name: string): Actor {
    const actor = this.#actors.get(name)
    if (actor === undefined) throw new Error(`there is no process ${name} yet`)
    return actor
  }

  addRule(line: number, rule: RequestRule): ActiveRule {
    const active = new ActiveRule(line, rule)
    this.#rules.push(active)
    return active
  }

  /** A rule that a request should have met, and none has. */
  get unmetRule(): ActiveRule | undefined {
    return this.#settings.rulesAreOptional ? undefined : this.#rules.find((rule) => !rule.isDone)
  }

  /** Looks at what must be true at the end. */
  conclude(): Promise<void> {
    return this.always.conclude((table, key) => {
      for (const { db, process } of this.#actors.values()) {
        // An answer that does not come says nothing here.
        if (process.isAlive)
          db.shards(table, key)
            .read()
            .catch(() => {})
      }
    })
  }

  crash(actor: Actor): void {
    actor.process.crash()
    this.stage.wake()
  }

  /**
   * Releases all requests of a process that one rule holds.
   * @throws Error where nothing does
   */
  release(actor: Actor, name: string | undefined): void {
    const isMeant = ({ process, rule }: Held) =>
      process === actor.process && (name === undefined || rule.name === name)
    const first = this.#held.find(isMeant)
    const as = name === undefined ? '' : ` as ${name}`
    if (first === undefined) throw new Error(`no request of ${actor.name} stands still${as}`)
    for (const held of this.#held.filter(({ rule }) => rule === first.rule)) {
      this.#held.splice(this.#held.indexOf(held), 1)
      held.release()
    }
  }

  standsStill({ process }: Actor): boolean {
    return this.#held.some((held) => held.process === process)
  }

  /** Lets time pass until a step has its answer, or its process is gone. @returns whether that comes about */
  untilOver(begun: Begun, isEnough = () => false): Promise<boolean> {
    const isOver = () => begun.answer !== undefined || !begun.actor.process.isAlive || isEnough()
    return this.stage.until(isOver, MAX_ANSWER_MILLISECONDS)
  }

  async itemsOf({ name }: KeyedTable): Promise<readonly Attributes[]> {
    const { output } = await this.stage.lane.execute('Scan', { TableName: name, ConsistentRead: true })
    return output.Items as readonly Attributes[]
  }

  /** An item wherever it is stored, by its own key. */
  async copiesOf({ table, partition, sort }: Path): Promise<readonly Attributes[]> {
    const isAdopted = this.#script.tables.get(table.name)?.options.has('adopt') === true
    const items = await this.itemsOf(table)
    return items.filter(
      (item) =>
        takenApart(contentOf(item[table.partitionKey]), isAdopted).logicalKey === partition &&
        contentOf(item[table.sortKey]) === contentOf(sort),
    )
  }

  #hold(held: Held): void {
    const { until, heldFor } = held.rule
    const end = until ?? (heldFor === undefined ? undefined : this.stage.elapsed + heldFor)
    if (end !== undefined) {
      this.stage.after(end, held.release)
      return
    }
    this.#held.push(held)
    this.stage.wake()
  }
}
