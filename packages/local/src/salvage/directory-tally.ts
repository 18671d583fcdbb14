import type { StoredRow } from '../storage/lmdb/stored-rows.js'
import type { DirectoryReport, TableTally } from './directory-report.js'

/** More sentences would not help anybody. */
const LISTED_KINDS = 100

/** Counts the rows of a data directory. */
export class DirectoryTally {
  readonly #sizes = new Map<string, number>()
  readonly #intact = new Map<string, number>()
  readonly #damage = new Map<string, number>()
  #damagedParts = 0
  #rowsWithoutChecksum = 0

  count(row: StoredRow): void {
    if (row.type === 'keyspace') this.#sizes.set(row.name, row.size)
    if (row.type === 'item') this.#intact.set(row.keyspace, (this.#intact.get(row.keyspace) ?? 0) + 1)
    if (row.type === 'unsealed') this.#rowsWithoutChecksum++
    if (row.type === 'damage') this.#damaged(row.what)
  }

  report(directory: string): DirectoryReport {
    for (const [name, size] of this.#sizes) {
      const intact = this.#intact.get(name) ?? 0
      // Damaged rows have their own sentences. Without one, rows are missing.
      if (intact !== size && this.#damagedParts === 0)
        this.#damaged(`${intact} of ${size} items of ${name} are intact`)
    }
    return {
      directory,
      tables: [...this.#sizes].flatMap(([name, items]) => {
        const place = tableOf(name)
        return place === undefined ? [] : [{ ...place, items, intact: this.#intact.get(name) ?? 0 }]
      }),
      rowsWithoutChecksum: this.#rowsWithoutChecksum,
      damage: [...this.#damage].map(([what, times]) => ({ what, times })),
      damagedParts: this.#damagedParts,
    }
  }

  #damaged(what: string): void {
    this.#damagedParts++
    const times = this.#damage.get(what) ?? 0
    if (times > 0 || this.#damage.size < LISTED_KINDS) this.#damage.set(what, times + 1)
  }
}

/** The table or index whose keyspace has this name. Other keyspaces are the engine's own. */
function tableOf(name: string): Pick<TableTally, 'region' | 'table' | 'index'> | undefined {
  const [region, table, index, more] = name.split('/')
  if (region === undefined || table === undefined || more !== undefined || index?.startsWith('#'))
    return undefined
  return { region, table, index }
}
