import { Violation } from '../world/violation.js'

interface KnownItem {
  /** The region of its writer. */
  readonly region: string
  /** The last value whose write was acknowledged, 0 before the first. */
  acknowledged: number
  /** The last value that was sent. */
  sent: number
}

/** An item as a query has returned it. */
export interface FoundItem {
  readonly sort: string
  readonly value: number
}

/** What is demanded of a query. */
export type Demand = ReadonlyMap<string, number>

/** What the writers of one key know of its items. Each item has one writer, and values that grow. */
export class KnownItems {
  readonly key: string
  readonly #items = new Map<string, KnownItem>()

  constructor(key: string) {
    this.key = key
  }

  /** Begins a write, and returns its value. */
  begun(sort: string, region: string): number {
    const known = this.#items.get(sort) ?? { region, acknowledged: 0, sent: 0 }
    known.sent += 1
    this.#items.set(sort, known)
    return known.sent
  }

  acknowledged(sort: string, value: number): void {
    const known = this.#items.get(sort)
    if (known !== undefined) known.acknowledged = Math.max(known.acknowledged, value)
  }

  /** What a query that begins now must return at least: the items of one region, or all. */
  demand(region?: string): Demand {
    const known = [...this.#items].filter(([, item]) => item.acknowledged > 0)
    const demanded = known.filter(([, item]) => region === undefined || item.region === region)
    return new Map(demanded.map(([sort, { acknowledged }]) => [sort, acknowledged]))
  }

  /** @throws Violation */
  check(found: readonly FoundItem[], demand: Demand, reader: string): void {
    const values = new Map<string, number>()
    for (const { sort, value } of found) {
      if (values.has(sort))
        throw this.#violation('an item is found once', reader, `found ${sort} twice`, sort)
      values.set(sort, value)
    }
    for (const [sort, acknowledged] of demand) {
      const value = values.get(sort)
      if (value === undefined) {
        throw this.#violation('an acknowledged item is found', reader, `did not find ${sort}`, sort)
      }
      if (value < acknowledged) {
        const seen = `found ${value} of ${sort}, and ${acknowledged} was acknowledged`
        throw this.#violation('no acknowledged write is lost', reader, seen, sort)
      }
    }
  }

  #violation(rule: string, reader: string, seen: string, sort: string): Violation {
    return new Violation(rule, `${reader} ${seen} of ${this.key}`, [this.key, sort])
  }
}
