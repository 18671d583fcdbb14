import { isDeepStrictEqual } from 'node:util'
import type { BillingMode, Throughput } from '../capacity/throughput.js'
import { larger, ON_DEMAND_START, warmAtStart } from '../capacity/throughput.js'
import type { RecordChange } from '../storage/record.js'
import { switchesAfter } from '../table/on-demand-switches.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { IndexDefinition, TableDefinition } from '../table/table-definition.js'
import { memberOf, type TableState } from '../table/table-state.js'
import { historyAfter } from '../table/throughput-history.js'
import type { Catalog } from './catalog.js'
import { capacitySettings } from './table-assembly.js'

/** The checked changes of an UpdateTable request. */
export interface TableChange {
  /** The new definition of the table. It does not contain an added index yet, and still contains a removed one. */
  readonly definition: TableDefinition
  readonly added?: IndexDefinition | undefined
  readonly removed?: SecondaryIndex | undefined
}

/**
 * Changes a table. The caller must save it together with the returned records.
 *
 * Capacity changes at once. The delays only decide how long the table reports that it is being changed.
 */
export function changeTable(
  catalog: Catalog,
  table: Table,
  { definition, added, removed }: TableChange,
  now: number,
): readonly RecordChange[] {
  const before = table.definition
  const indexes = definition.indexes.filter(({ name }) => name !== removed?.definition.name)
  const after = { ...definition, indexes: added === undefined ? indexes : [...indexes, added] }
  const delay = delayOf(catalog, table, before, after, added, removed)
  table.state = {
    ...table.state,
    ...(before.billingMode === 'PROVISIONED' && after.billingMode === 'PAY_PER_REQUEST'
      ? { onDemandSince: now, ...switchesAfter(table.state, catalog.capacity, now) }
      : {}),
    ...historyAfter(table.state, before.throughput, after.throughput, now),
    ...warmth(table.state, after, catalog.delays.raiseWarmThroughput, now),
    definition: after,
    // A change of warm throughput only is not an update, so the table stays ACTIVE.
    ...(isOnlyWarmth(before, after, added, removed)
      ? {}
      : { transition: { status: 'UPDATING', until: now + delay } as const }),
  }
  changeCapacity(table, after, now)
  if (removed !== undefined) removeIndex(catalog, table, removed, now)
  if (added !== undefined) catalog.addIndex(table, added)
  return changeStream(catalog, table, before, after, now)
}

function changeCapacity(table: Table, definition: TableDefinition, now: number): void {
  table.capacity.change(definition, now)
  for (const wanted of definition.indexes) {
    const index = table.indexes.get(wanted.name)
    if (index === undefined || index.isLocal) continue
    const { throughput: before } = index.definition
    const history = historyAfter(index.state.throughputHistory ?? {}, before, wanted.throughput, now)
    index.state = { ...index.state, throughputHistory: history }
    index.definition = wanted
    index.capacity.change(capacitySettings(definition, wanted), now)
  }
}

function removeIndex(catalog: Catalog, table: Table, index: SecondaryIndex, now: number): void {
  const { deleteIndex } = catalog.delays
  if (deleteIndex === 0) {
    catalog.removeIndex(table, index)
    return
  }
  table.dropInsights([index.definition.name])
  // The index remains, and still receives writes, until its deletion ends.
  index.state = { ...index.state, transition: { status: 'DELETING', until: now + deleteIndex } }
  const { definition } = table
  table.state = {
    ...table.state,
    definition: { ...definition, indexes: [...definition.indexes, index.definition] },
  }
}

function changeStream(
  catalog: Catalog,
  table: Table,
  before: TableDefinition,
  after: TableDefinition,
  now: number,
): readonly RecordChange[] {
  if (before.streamViewType === after.streamViewType) return []
  if (after.streamViewType !== undefined) return [catalog.openStream(table)]
  const closed = table.stream?.disable(now)
  table.stream = undefined
  return closed === undefined ? [] : [closed]
}

/** The warm throughput after the change. The table and its indexes keep the maximum they have reached. */
function warmth(
  state: TableState,
  after: TableDefinition,
  delay: number,
  now: number,
): Partial<TableState> & Pick<TableState, 'warm' | 'warmIndexes'> {
  const warm = larger(state.warm, warmOf(after.billingMode, after))
  const warmIndexes = Object.fromEntries(
    after.indexes
      .filter(({ kind }) => kind === 'global')
      .map((index) => {
        const wanted = warmOf(after.billingMode, index)
        return [index.name, larger(memberOf(state.warmIndexes, index.name) ?? wanted, wanted)]
      }),
  )
  const before = state.definition
  const raised = after.indexes.filter(({ name, warmThroughput }) => {
    const index = before.indexes.find((each) => each.name === name)
    return index !== undefined && index.warmThroughput !== warmThroughput
  })
  const names = raised.map(({ name }) => name)
  if (after.warmThroughput !== before.warmThroughput) names.push('')
  const warmingUntil = {
    ...state.warmingUntil,
    ...Object.fromEntries(names.map((name) => [name, now + delay])),
  }
  return { warm, warmIndexes, warmingUntil }
}

function warmOf(
  billingMode: BillingMode,
  { throughput, warmThroughput }: { throughput: Throughput; warmThroughput?: Throughput },
): Throughput {
  const least = warmAtStart(billingMode, billingMode === 'PROVISIONED' ? throughput : ON_DEMAND_START)
  return warmThroughput === undefined ? least : larger(least, warmThroughput)
}

/** Whether only the warm throughput of the table or its indexes changes. */
function isOnlyWarmth(
  before: TableDefinition,
  after: TableDefinition,
  added: IndexDefinition | undefined,
  removed: SecondaryIndex | undefined,
): boolean {
  const withoutWarmth = ({ warmThroughput: _, ...rest }: { readonly warmThroughput?: Throughput }) => rest
  const rest = ({ indexes, ...table }: TableDefinition) => ({
    ...withoutWarmth(table),
    indexes: indexes.map(withoutWarmth),
  })
  return added === undefined && removed === undefined && isDeepStrictEqual(rest(before), rest(after))
}

function delayOf(
  { delays }: Catalog,
  table: Table,
  before: TableDefinition,
  after: TableDefinition,
  added: IndexDefinition | undefined,
  removed: SecondaryIndex | undefined,
): number {
  const takes: number[] = [0]
  if (added !== undefined) takes.push(delays.setUpIndex)
  if (removed !== undefined) takes.push(delays.deleteIndex)
  if (before.streamViewType !== after.streamViewType) takes.push(delays.changeStream)
  if (before.tableClass !== after.tableClass) takes.push(delays.changeSettings)
  if (before.deletionProtection !== after.deletionProtection) takes.push(delays.changeSettings)
  if (before.billingMode === after.billingMode) takes.push(delays.changeThroughput)
  else if (after.billingMode === 'PROVISIONED') takes.push(delays.toProvisioned)
  else takes.push(table.state.onDemandSince === undefined ? delays.toOnDemand : delays.backToOnDemand)
  return Math.max(...takes)
}
