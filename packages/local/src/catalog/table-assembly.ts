import type { Clock, Random } from '@isotherm/runtime'
import type { Enforcement } from '../capacity/admission.js'
import type { CapacityChange } from '../capacity/capacity-change.js'
import type { CapacityMeter } from '../capacity/capacity-meter.js'
import type { CapacitySettings } from '../capacity/capacity-settings.js'
import type { HeatMeter } from '../capacity/heat-meter.js'
import { type CapacityOwner, KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import type { CapacityParameters } from '../partition/capacity-parameters.js'
import type { MeasuredStorage } from '../partition/measured-storage.js'
import type { SplitEvent } from '../partition/partition-map.js'
import { inBackground } from '../storage/in-background.js'
import type { RecordChange, RecordValue } from '../storage/record.js'
import type { Streams } from '../stream/streams.js'
import { ExpiryIndex } from '../table/expiry-index.js'
import { IndexQueue, type PropagationParameters } from '../table/index-queue.js'
import { RecentChanges } from '../table/recent-changes.js'
import { capacitySettings, SecondaryIndex } from '../table/secondary-index.js'
import { Table } from '../table/table.js'
import { tableArn } from '../table/table-arn.js'
import type { IndexDefinition, TableDefinition } from '../table/table-definition.js'
import { memberOf, type TableState, type TimeToLiveState } from '../table/table-state.js'
import type { IndexState } from '../table/transition.js'
import { KeptPartitions, partitionRecords } from './kept-partitions.js'
import type { HeatMeters, TableMeters } from './table-meters.js'

/** A split, or the reason against one, with the table or index whose partition it concerns. */
export type PartitionEvent = SplitEvent & { readonly table: string; readonly index?: string }

/** A change of the capacity of a table or an index. */
export type CapacityEvent = CapacityChange & { readonly table: string; readonly index?: string }

/** The dependencies of tables. */
export interface AssemblyParts {
  readonly storage: MeasuredStorage
  readonly clock: Clock
  readonly random: Random
  readonly capacity: CapacityParameters
  readonly propagation: PropagationParameters
  readonly enforcement: Enforcement
  readonly onPartitionEvent: (event: PartitionEvent) => void
  readonly onCapacityEvent?: ((event: CapacityEvent) => void) | undefined
  /** `undefined` when no metrics are recorded. */
  readonly meters?: TableMeters | undefined
  /** `undefined` when no history of heat is recorded. */
  readonly heat?: HeatMeters | undefined
}

/** Assembles tables from their state, both new and stored ones. */
export class TableAssembly {
  readonly #parts: AssemblyParts
  readonly #streams: Streams
  readonly #kept = new KeptPartitions()

  constructor(parts: AssemblyParts, streams: Streams) {
    this.#parts = parts
    this.#streams = streams
  }

  /** Loads the record if it describes the partitions of a keyspace. */
  remember(kind: string, keyspace: string, value: RecordValue): void {
    this.#kept.load(kind, keyspace, value)
  }

  /** Discards the loaded partitions, so that new keyspaces start with new ones. */
  forgetKept(): void {
    this.#kept.forget()
  }

  table(region: string, keyspace: string, state: TableState): Table {
    const { storage, clock, capacity, enforcement, propagation, random, meters } = this.#parts
    const { definition } = state
    const arn = tableArn(region, definition.name)
    const meter = meters?.table(region, definition.name)
    const tableCapacity = this.#capacity(
      { kind: 'Table', arn },
      keyspace,
      definition,
      definition,
      (event) => {
        if (event.type === 'split') this.#splitStream(table, event)
      },
      meter,
      this.#parts.heat?.keyspace(
        { region, table: definition.name, index: undefined },
        definition.schema.hash,
      ),
    )
    const indexes = definition.indexes.map((index) =>
      this.#index(
        definition,
        { arn, region, keyspace, capacity: tableCapacity },
        index,
        indexStateOf(state, index),
      ),
    )
    const local = definition.indexes.filter(({ kind }) => kind === 'local')
    const places = local.map((index) => indexKeyspace(keyspace, index))
    storage.measure([keyspace, ...places], tableCapacity.partitions, capacity.partitionBytes)
    const { timeToLive, stream } = state
    const table: Table = new Table(state, {
      region,
      arn,
      keyspace,
      items: storage.open(keyspace),
      capacity: tableCapacity,
      indexes,
      expiry: timeToLive?.enabled ? this.expiry(keyspace, timeToLive) : undefined,
      stream: stream === undefined ? undefined : this.#enabledStream(stream.arn),
      storage,
      enforcement,
      recent: new RecentChanges(propagation.readLagMilliseconds, random),
      itemCollectionBytes: capacity.itemCollectionBytes,
      meter,
      clock,
    })
    return table
  }

  index(table: Table, definition: IndexDefinition, state: IndexState): SecondaryIndex {
    return this.#index(table.definition, table, definition, state)
  }

  expiry(
    tableKeyspace: string,
    { attribute, complete }: Pick<TimeToLiveState, 'attribute' | 'complete'>,
  ): ExpiryIndex {
    // No index can have this name, so the keyspace is unique.
    const keyspace = `${tableKeyspace}/#expiry`
    return new ExpiryIndex(attribute, keyspace, this.#parts.storage.open(keyspace), complete)
  }

  /**
   * Opens a stream with a shard for each partition of the table. @returns its record, which must be saved with the
   * table.
   */
  openStream(table: Table): RecordChange {
    const { name, schema, streamViewType: viewType } = table.definition
    const [hash] = schema.hash
    const [range] = schema.range
    if (viewType === undefined || hash === undefined) throw new TypeError('The table asks for no stream.')
    const createdAt = this.#parts.clock.now()
    let label = labelAt(createdAt)
    // A stream's creation time is part of its ARN, so two streams of one table need different times.
    for (let later = 1; this.#streams.has(`${table.arn}/stream/${label}`); later++) {
      label = labelAt(createdAt + later)
    }
    const arn = `${table.arn}/stream/${label}`
    const stream = this.#streams.create(
      {
        arn,
        region: table.region,
        tableName: name,
        label,
        viewType,
        hashName: hash.name,
        ...(range === undefined ? {} : { rangeName: range.name }),
        createdAt,
      },
      table.capacity.partitions.all.map(({ from }) => from),
    )
    table.openStream(stream)
    return stream.record
  }

  #index(
    base: TableDefinition,
    table: Pick<Table, 'arn' | 'region' | 'keyspace' | 'capacity'>,
    definition: IndexDefinition,
    state: IndexState,
  ): SecondaryIndex {
    const arn = `${table.arn}/index/${definition.name}`
    const keyspace = indexKeyspace(table.keyspace, definition)
    const { storage, propagation, enforcement, random, capacity: parameters } = this.#parts
    const items = storage.open(keyspace)
    const meter =
      definition.kind === 'local'
        ? undefined
        : this.#parts.meters?.index(table.region, base.name, definition.name)
    const capacity =
      definition.kind === 'local'
        ? table.capacity
        : this.#capacity(
            { kind: 'Index', arn },
            keyspace,
            base,
            capacitySettings(base, definition),
            () => {},
            meter,
            this.#parts.heat?.keyspace(
              { region: table.region, table: base.name, index: definition.name },
              definition.schema.hash,
            ),
            definition.name,
          )
    if (definition.kind === 'global') {
      storage.measure([keyspace], capacity.partitions, parameters.partitionBytes)
    }
    const queue =
      definition.kind === 'local' ? undefined : new IndexQueue(capacity, propagation, enforcement, random)
    return new SecondaryIndex(
      definition,
      state,
      { arn, keyspace, items, capacity, queue, meter },
      base.schema,
    )
  }

  #capacity(
    owner: CapacityOwner,
    keyspace: string,
    base: TableDefinition,
    settings: CapacitySettings,
    onSplit: (event: SplitEvent) => void,
    meter: CapacityMeter | undefined,
    heat: HeatMeter | undefined,
    index?: string,
  ): KeyspaceCapacity {
    const { storage, capacity: parameters, clock, onPartitionEvent, onCapacityEvent } = this.#parts
    const keep = () => inBackground(storage.write([], partitionRecords({ keyspace, capacity })))
    const wholeCollections = index === undefined && base.indexes.some(({ kind }) => kind === 'local')
    const whose = { table: base.name, ...(index === undefined ? {} : { index }) }
    const capacity: KeyspaceCapacity = new KeyspaceCapacity(owner, settings, parameters, clock.now(), {
      borders: this.#kept.bordersOf(keyspace),
      kept: this.#kept.capacityOf(keyspace),
      onPeak: keep,
      wholeCollections,
      meter,
      heat,
      onSplit: (event) => {
        if (event.type === 'split') keep()
        onSplit(event)
        onPartitionEvent({ ...event, ...whose })
      },
      onChange: (change) => onCapacityEvent?.({ ...change, ...whose }),
    })
    return capacity
  }

  #splitStream({ stream }: Table, event: SplitEvent & { readonly type: 'split' }): void {
    if (stream === undefined) return
    inBackground(this.#parts.storage.write([], [stream.split(event.border, event.at)]))
  }

  #enabledStream(arn: string) {
    const stream = this.#streams.get(arn, this.#parts.clock.now())
    return stream?.enabled ? stream : undefined
  }
}

function labelAt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -1)
}

function indexKeyspace(tableKeyspace: string, { name }: IndexDefinition): string {
  return `${tableKeyspace}/${name}`
}

function indexStateOf({ indexes }: TableState, { name }: IndexDefinition): IndexState {
  return memberOf(indexes, name) ?? { complete: true, addedLater: false }
}
