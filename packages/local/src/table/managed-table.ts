import type { Clock } from '@isotherm/runtime'
import type { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import type { BillingMode } from '../capacity/throughput.js'
import type { RecordChange, RecordValue } from '../storage/record.js'
import type { Stream } from '../stream/stream.js'
import type { ExpiryIndex } from './expiry-index.js'
import type { SecondaryIndex } from './secondary-index.js'
import type { TableDefinition } from './table-definition.js'
import type { TableMeter } from './table-meter.js'
import { memberOf, type TableState, type TimeToLiveState } from './table-state.js'
import { isOver, statusAt } from './transition.js'

/** The parts of a table that the control plane manages. */
export interface ManagedTableParts {
  readonly region: string
  readonly arn: string
  readonly keyspace: string
  readonly capacity: KeyspaceCapacity
  readonly indexes: readonly SecondaryIndex[]
  readonly expiry: ExpiryIndex | undefined
  readonly stream: Stream | undefined
  readonly meter: TableMeter | undefined
  readonly clock: Clock
}

/**
 * The definition and the state of a table, with the indexes, the stream and the expiry that follow from them. Only the
 * methods here change them. The caller of such a method must save the table.
 */
export class ManagedTable {
  readonly region: string
  readonly arn: string
  readonly keyspace: string
  readonly capacity: KeyspaceCapacity
  /** `undefined` when no metrics are recorded. */
  readonly meter: TableMeter | undefined
  protected readonly clock: Clock
  readonly #indexes: Map<string, SecondaryIndex>
  #state: TableState
  #expiry: ExpiryIndex | undefined
  #stream: Stream | undefined
  #isRemoved = false

  constructor(state: TableState, parts: ManagedTableParts) {
    this.#state = state
    this.region = parts.region
    this.arn = parts.arn
    this.keyspace = parts.keyspace
    this.capacity = parts.capacity
    this.meter = parts.meter
    this.clock = parts.clock
    this.#indexes = new Map(parts.indexes.map((index) => [index.definition.name, index]))
    this.#expiry = parts.expiry
    this.#stream = parts.stream
    this.#watchKeys()
  }

  get state(): TableState {
    return this.#state
  }

  get definition(): TableDefinition {
    return this.#state.definition
  }

  get name(): string {
    return this.definition.name
  }

  get billingMode(): BillingMode {
    return this.definition.billingMode
  }

  get indexes(): ReadonlyMap<string, SecondaryIndex> {
    return this.#indexes
  }

  get expiry(): ExpiryIndex | undefined {
    return this.#expiry
  }

  /** The enabled stream, if there is one. */
  get stream(): Stream | undefined {
    return this.#stream
  }

  get status() {
    return statusAt(this.#state.transition, this.clock.now())
  }

  /** Whether the table was deleted. A batch that began before the deletion must not continue. */
  get isGone(): boolean {
    if (this.#isRemoved) return true
    const { transition } = this.#state
    return transition?.status === 'DELETING' && isOver(transition, this.clock.now())
  }

  /** The record that stores the table. */
  get record(): RecordChange {
    const indexes = Object.fromEntries([...this.#indexes].map(([name, { state }]) => [name, state]))
    const state: TableState = { ...this.#state, indexes }
    return { name: tableRecordName(this.keyspace), value: state as unknown as RecordValue }
  }

  retag(tags: TableState['tags']): void {
    this.#state = { ...this.#state, tags }
  }

  changePolicy(policy: TableState['policy']): void {
    const { policy: _, ...rest } = this.#state
    this.#state = policy === undefined ? rest : { ...rest, policy }
  }

  /** Changes Contributor Insights: of the table under an empty name, and of its indexes. */
  changeInsights(insights: TableState['insights']): void {
    this.#state = { ...this.#state, insights }
    this.#watchKeys()
  }

  /** @param expiry the index by which items expire from now on, if they do. */
  changeTimeToLive(timeToLive: TimeToLiveState, expiry: ExpiryIndex | undefined): void {
    this.#state = { ...this.#state, timeToLive }
    this.#expiry = expiry
  }

  /** Every item that expires is now in the expiry index. */
  completeTimeToLive(): void {
    const { timeToLive } = this.#state
    if (timeToLive === undefined) return
    this.#expiry?.complete()
    this.#state = { ...this.#state, timeToLive: { ...timeToLive, complete: true } }
  }

  openStream(stream: Stream): void {
    const { arn, label } = stream.state
    this.#stream = stream
    this.#state = { ...this.#state, stream: { arn, label } }
  }

  /** @returns the record of the closed stream, if there was one. */
  closeStream(now: number): RecordChange | undefined {
    const closed = this.#stream?.disable(now)
    this.#stream = undefined
    return closed
  }

  /** Applies a changed definition, and the capacity it defines for the table and its indexes. */
  change(state: TableState, now: number): void {
    this.#state = state
    const { definition } = state
    this.capacity.change(definition, now)
    for (const wanted of definition.indexes) this.#indexes.get(wanted.name)?.change(definition, wanted, now)
  }

  /** Attaches an index, which follows every write from now on. */
  attach(index: SecondaryIndex): void {
    this.#indexes.set(index.definition.name, index)
  }

  /** Begins to delete an index. It remains defined, and still receives writes, until its deletion ends. */
  beginIndexDeletion(index: SecondaryIndex, until: number): void {
    this.#dropInsights([index.definition.name])
    index.beginDeletion(until)
    const indexes = [...this.#definedWithout(index.definition.name), index.definition]
    this.#state = { ...this.#state, definition: { ...this.definition, indexes } }
  }

  /** Removes an index, which no write reaches any more. */
  detach(name: string): void {
    this.#dropInsights([name])
    this.#indexes.delete(name)
    this.#state = { ...this.#state, definition: { ...this.definition, indexes: this.#definedWithout(name) } }
  }

  /** Begins to delete the table. Its rules of Contributor Insights end at once. */
  beginDeletion(until: number): void {
    this.#dropInsights(Object.keys(this.#state.insights))
    this.#state = { ...this.#state, transition: { status: 'DELETING', until } }
  }

  /** Removes a finished transition, so that later requests need not check it. */
  endTransition(now: number): void {
    const { transition, ...state } = this.#state
    if (isOver(transition, now)) this.#state = state
  }

  /** The table is no longer in the catalog. */
  remove(): void {
    this.#isRemoved = true
  }

  #definedWithout(index: string): TableDefinition['indexes'] {
    return this.definition.indexes.filter(({ name }) => name !== index)
  }

  #dropInsights(names: readonly string[]): void {
    const kept = Object.entries(this.#state.insights).filter(([name]) => !names.includes(name))
    this.changeInsights(Object.fromEntries(kept))
  }

  #watchKeys(): void {
    const { definition, insights } = this.#state
    this.meter?.watch(memberOf(insights, ''), definition.schema)
    for (const [name, { meter, definition }] of this.#indexes) {
      meter?.watch(memberOf(insights, name), definition.schema)
    }
  }
}

/** The name under which a store keeps the state of a table. */
function tableRecordName(keyspace: string): string {
  return `table/${keyspace}`
}
