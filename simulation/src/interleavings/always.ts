import { ShardMapWatch } from '../invariants/shard-map-watch.js'
import { ChangesByHand } from '../workloads/changes-by-hand.js'
import type { Process } from '../world/process.js'
import { StoredItems, takenApart } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import { AppendedItems } from './appended-items.js'
import { FollowedItems } from './followed-items.js'
import type { Script } from './script.js'
import { ScriptError } from './script-error.js'
import type { Stage } from './stage.js'
import type { StageSettings } from './stage-settings.js'

/** The rules that a script can ask for in a line `always: ...`. */
export const ALWAYS = {
  oneCopy: 'an item has one copy',
  shardMap: 'the shard map follows its rules',
  items: 'single items behave as if one operation came after the other',
  appends: 'appends are read once, and in order',
  ends: 'changes come to their end',
} as const

type Output = Record<string, unknown>

/** How long changes may take when the script has ended, and how often somebody asks for their keys meanwhile. */
const REST_MILLISECONDS = 600_000
const TOUCH_MILLISECONDS = 20_000

/** Holds a script against the rules that it asks for, from its first line to its last one. */
export class Always {
  readonly #stage: Stage
  readonly #adopted: boolean
  readonly #byHand: ChangesByHand
  /** By the names of their tables. */
  readonly #watches: ReadonlyMap<string, ShardMapWatch>
  readonly #items: FollowedItems | undefined
  readonly #appends: AppendedItems | undefined
  readonly #mustEnd: boolean

  /** @throws ScriptError for a rule that there is not */
  constructor(
    stage: Stage,
    settings: StageSettings,
    tables: readonly WorkloadTable[],
    { file, always }: Script,
  ) {
    const known: readonly string[] = Object.values(ALWAYS)
    const unknown = always.find(({ rule }) => !known.includes(rule))
    if (unknown !== undefined) {
      throw new ScriptError(
        { file, line: unknown.line },
        `there is no rule "${unknown.rule}"; there are: ${known.join('; ')}`,
      )
    }
    const has = (rule: string) => always.some((each) => each.rule === rule)
    this.#stage = stage
    this.#adopted = tables.some(({ sharded }) => sharded.adopt === true)
    this.#byHand = new ChangesByHand(stage, settings.latestMilliseconds)
    this.#mustEnd = has(ALWAYS.ends)
    const stored = new StoredItems(
      tables.map(({ name, partitionKey, sortKey, sharded }) => ({
        name,
        partitionKey,
        sortKey,
        adopt: sharded.adopt === true,
      })),
      (copies) => {
        if (has(ALWAYS.oneCopy) && copies.shards.size > 1) {
          const seen = `${copies.logicalKey} ${copies.sort} is in the shards ${[...copies.shards].join(' and ')}`
          throw new Violation(ALWAYS.oneCopy, seen, [copies.logicalKey, copies.sort])
        }
        if (has(ALWAYS.shardMap)) watchOf.get(copies.table)?.checkCovered(copies)
      },
    )
    const watchOf = new Map(tables.map((table) => [table.name, this.#watch(table, stored)]))
    this.#watches = watchOf
    if (has(ALWAYS.oneCopy) || has(ALWAYS.shardMap)) stage.observers.push(stored.observe)
    if (has(ALWAYS.shardMap) || this.#mustEnd)
      stage.observers.push(...[...this.#watches.values()].map(({ observe }) => observe))
    const byName = new Map(tables.map((table) => [table.name, table]))
    const random = new Map([...byName].filter(([, { sharded }]) => sharded.suffix === 'random'))
    this.#items = has(ALWAYS.items) ? new FollowedItems(stage, settings, byName) : undefined
    this.#appends = has(ALWAYS.appends) ? new AppendedItems(stage, settings, random) : undefined
  }

  /** Sends a request, and looks at its answer. */
  sent(process: Process, operation: string, input: object, send: () => Promise<Output>): Promise<Output> {
    const { name } = process
    const followed = () => this.#items?.sent(process, operation, input, send) ?? send()
    return this.#appends?.sent(name, operation, input, followed) ?? followed()
  }

  /** Something was stored in the service without the library. */
  stored(operation: string, input: object): void {
    this.#items?.stored(operation, input, (stored) => takenApart(stored, this.#adopted).logicalKey)
  }

  /** Sets a count by hand, which need not wait for a cooldown. */
  async byHand<T>(
    process: Process,
    table: string,
    key: string,
    shards: number,
    set: () => Promise<T>,
  ): Promise<T> {
    let result: T | undefined
    await this.#byHand.during({ process, table, key, shards }, async () => {
      result = await set()
    })
    return result as T
  }

  /**
   * When the script has come to its end.
   * @param touch asks for a key in every process that lives: a process that asks notices an abandoned change
   */
  async conclude(touch: (table: string, key: string) => void): Promise<void> {
    if (!this.#mustEnd) return
    const last = this.#stage.elapsed + REST_MILLISECONDS
    while (this.#stage.elapsed < last && this.#changing().length > 0) {
      for (const { table, key } of this.#changing()) touch(table, key)
      await this.#stage.runTo(this.#stage.elapsed + TOUCH_MILLISECONDS)
    }
    for (const { key } of this.#changing()) {
      this.#stage.guard(new Violation(ALWAYS.ends, `that of ${key} has not`, [key]))
    }
  }

  /** Keys whose count is changing, or whose retired shards are not forgotten. */
  #changing(): readonly { readonly table: string; readonly key: string }[] {
    return [...this.#watches].flatMap(([table, watch]) =>
      [...watch.keys()].flatMap((key) =>
        watch.stateOf(key)?.changingSince === undefined ? [] : [{ table, key }],
      ),
    )
  }

  #watch(table: WorkloadTable, stored: StoredItems): ShardMapWatch {
    const { shards } = table.sharded
    const isDynamic = shards.kind === 'dynamic'
    return new ShardMapWatch(this.#stage, table, {
      initialShards: isDynamic ? shards.initial : shards.count(),
      cooldownMilliseconds: isDynamic ? shards.cooldownMilliseconds : 0,
      isByHand: (owner, key, count) => this.#byHand.has(owner, table.name, key, count),
      onChanged: () => {},
      calendarMilliseconds: 0,
      drift: 0,
      mayGrow: true,
      itemsOf: (key) => stored.of(table.name, key),
    })
  }
}
