import type { Process } from '../world/process.js'
import type { World } from '../world/world.js'
import { requireExpected } from './expected-error.js'
import type { Client } from './workload.js'

export interface MigratorOptions {
  readonly table: string
  /** The initial count that the table is to have. */
  readonly to: number
  /** Since the load began. */
  readonly atMilliseconds: number
  /** How many processes try at a time. Each one that begins again also waits again, so many processes would keep each other from finishing. */
  readonly migrators: number
}

/** Until somebody whose process has ended is missed. */
const AGAIN_MILLISECONDS = 60_000

/** Codes of errors that a later try may not meet. */
const PASSING: readonly unknown[] = ['card.lost', 'shards.changing']

/** Somebody who gives a table another initial count, and tries again until it has it. */
export function migrateTable(world: World, process: Process, db: Client, options: MigratorOptions): void {
  const { table, to, atMilliseconds, migrators } = options
  const { random, clock } = process
  const work = async () => {
    await clock.sleep(Math.max(0, atMilliseconds - world.elapsed) + random.next() * 2_000)
    for (;;) {
      // Those who come first do it. If one of them is gone, another one is.
      if (world.processes.indexOf(process) < migrators && (await isMigrated(db, table, to))) return
      await clock.sleep(AGAIN_MILLISECONDS * (0.2 + random.next()))
    }
  }
  work().catch((error: unknown) => world.guard(error))
}

async function isMigrated(db: Client, table: string, to: number): Promise<boolean> {
  try {
    const { outcome } = await db.migrate(table, { initial: to, unitsPerSecond: 10_000 })
    return outcome === 'settled'
  } catch (error) {
    const isPassing = error instanceof Error && 'code' in error && PASSING.includes(error.code)
    if (!isPassing) requireExpected(error)
    return false
  }
}
