import type { OperationCost } from './operation-cost.js'
import type { PatternWorld } from './pattern-world.js'

/** Sums what calls cost in a world, one row for each operation. */
export class MeasuredCosts {
  readonly rows: OperationCost[] = []
  readonly #world: PatternWorld

  constructor(world: PatternWorld) {
    this.#world = world
  }

  /** @returns what the calls returned */
  async measure<Result>(
    operation: string,
    times: number,
    call: (at: number) => Promise<Result>,
  ): Promise<Result[]> {
    this.#world.takeCost()
    const results: Result[] = []
    for (let at = 0; at < times; at++) results.push(await call(at))
    const { requests, readUnits, writeUnits } = this.#world.takeCost()
    const cost = { requests: requests / times, readUnits: readUnits / times, writeUnits: writeUnits / times }
    this.rows.push({ operation, cost })
    return results
  }
}
