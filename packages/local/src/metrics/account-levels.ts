import type { Throughput } from '../capacity/throughput.js'
import { LevelSeries } from './level-series.js'
import type { MetricSource } from './metric-source.js'

/** The quotas of an account in units per second, separately for reads and writes. */
export interface AccountQuotas {
  /** The total provisioned by all tables and indexes of a region. */
  readonly accountUnitsPerSecond: number
  /** The maximum of one table or index. */
  readonly tableUnitsPerSecond: number
}

/** Every change of a table changes these levels. This is the number of levels that can be published in 15 days. */
const MAX_STEPS = (15 * 24 * 60) / 5

const SIDES = [
  ['readUnits', 'Read'],
  ['writeUnits', 'Write'],
] as const

type Side = (typeof SIDES)[number][0]

/**
 * The metrics of an account in a region: its quotas, and the share of them that is provisioned. AWS calls the share
 * "utilized" without a definition. Service Quotas shows these percentages as the use of the quotas, so this class does
 * too. Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
export class AccountLevels {
  readonly #quotas: AccountQuotas
  readonly #provisioned = new Map<object, Throughput>()
  readonly #levels: Record<Side, Record<'account' | 'table', LevelSeries>>
  readonly #constants: readonly (readonly [LevelSeries, number])[]

  constructor(region: string, quotas: AccountQuotas) {
    this.#quotas = quotas
    const level = (name: string) => new LevelSeries({ region, name, dimensions: {} }, { maxSteps: MAX_STEPS })
    const levels = (kind: 'Read' | 'Write') => ({
      account: level(`AccountProvisioned${kind}CapacityUtilization`),
      table: level(`MaxProvisionedTable${kind}CapacityUtilization`),
    })
    this.#levels = { readUnits: levels('Read'), writeUnits: levels('Write') }
    this.#constants = SIDES.flatMap(([, kind]) => [
      [level(`AccountMax${kind}s`), quotas.accountUnitsPerSecond],
      [level(`AccountMaxTableLevel${kind}s`), quotas.tableUnitsPerSecond],
    ])
  }

  get sources(): readonly MetricSource[] {
    const levels = SIDES.flatMap(([side]) => Object.values(this.#levels[side]))
    return [...this.#constants.map(([level]) => level), ...levels]
  }

  /** @param throughput `undefined` for an on-demand table, and for one that was deleted. */
  provisioned(whose: object, throughput: Throughput | undefined, now: number): void {
    for (const [level, quota] of this.#constants) level.set(quota, now)
    if (throughput === undefined) this.#provisioned.delete(whose)
    else this.#provisioned.set(whose, throughput)
    const { accountUnitsPerSecond, tableUnitsPerSecond } = this.#quotas
    for (const [side] of SIDES) {
      let total = 0
      let largest = 0
      for (const { [side]: units } of this.#provisioned.values()) {
        total += units
        largest = Math.max(largest, units)
      }
      this.#levels[side].account.set((100 * total) / accountUnitsPerSecond, now)
      this.#levels[side].table.set((100 * largest) / tableUnitsPerSecond, now)
    }
  }
}
