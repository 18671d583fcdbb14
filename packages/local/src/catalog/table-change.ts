import { isDeepStrictEqual } from 'node:util'
import type { Throughput } from '../capacity/throughput.js'
import type { RecordChange } from '../storage/record.js'
import { changedState } from '../table/changed-state.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { IndexDefinition, TableDefinition } from '../table/table-definition.js'
import type { TableLifeCycle } from './table-life-cycle.js'

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
  lifeCycle: TableLifeCycle,
  table: Table,
  { definition, added, removed }: TableChange,
  now: number,
): readonly RecordChange[] {
  const before = table.definition
  const indexes = definition.indexes.filter(({ name }) => name !== removed?.definition.name)
  const after = { ...definition, indexes: added === undefined ? indexes : [...indexes, added] }
  const until = now + delayOf(lifeCycle, table, before, after, added, removed)
  // A change of warm throughput only is not an update, so the table stays ACTIVE.
  const transition = isOnlyWarmth(before, after, added, removed)
    ? undefined
    : ({ status: 'UPDATING', until } as const)
  const warmAt = now + lifeCycle.delays.raiseWarmThroughput
  lifeCycle.change(
    table,
    changedState(table.state, after, lifeCycle.capacity, { now, warmAt, transition }),
    now,
  )
  if (removed !== undefined) lifeCycle.deleteIndex(table, removed, now)
  if (added !== undefined) lifeCycle.addIndex(table, added)
  return changeStream(lifeCycle, table, before, now)
}

function changeStream(
  lifeCycle: TableLifeCycle,
  table: Table,
  before: TableDefinition,
  now: number,
): readonly RecordChange[] {
  const { streamViewType } = table.definition
  if (before.streamViewType === streamViewType) return []
  if (streamViewType !== undefined) return [lifeCycle.openStream(table)]
  const closed = table.closeStream(now)
  return closed === undefined ? [] : [closed]
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
  { delays }: TableLifeCycle,
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
