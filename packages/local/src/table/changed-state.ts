import {
  type BillingMode,
  larger,
  ON_DEMAND_START,
  type Throughput,
  warmAtStart,
} from '../capacity/throughput.js'
import type { CapacityParameters } from '../partition/capacity-parameters.js'
import { switchesAfter } from './on-demand-switches.js'
import type { TableClass, TableDefinition } from './table-definition.js'
import { memberOf, type TableState } from './table-state.js'
import { historyAfter } from './throughput-history.js'
import type { Transition } from './transition.js'

/** When the changes of a table take place. */
export interface ChangeTimes {
  readonly now: number
  /** When a raise of the warm throughput ends. */
  readonly warmAt: number
  /** The table's transition, unless the change is no update. */
  readonly transition: Transition | undefined
}

/** The state of a table after UpdateTable has changed its definition. */
export function changedState(
  state: TableState,
  after: TableDefinition,
  capacity: CapacityParameters,
  { now, warmAt, transition }: ChangeTimes,
): TableState {
  const before = state.definition
  return {
    ...state,
    ...(before.billingMode === 'PROVISIONED' && after.billingMode === 'PAY_PER_REQUEST'
      ? { onDemandSince: now, ...switchesAfter(state, capacity, now) }
      : {}),
    ...(classOf(before) === classOf(after) ? {} : { classChangedAt: now }),
    ...historyAfter(state, before.throughput, after.throughput, now),
    ...warmth(state, after, warmAt),
    definition: after,
    ...(transition === undefined ? {} : { transition }),
  }
}

/** A table that was given no class has the standard one. */
function classOf({ tableClass = 'STANDARD' }: TableDefinition): TableClass {
  return tableClass
}

/** The warm throughput after the change. The table and its indexes keep the maximum they have reached. */
function warmth(
  state: TableState,
  after: TableDefinition,
  warmAt: number,
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
    ...Object.fromEntries(names.map((name) => [name, warmAt])),
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
