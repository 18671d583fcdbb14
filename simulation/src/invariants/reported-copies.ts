import type { IsothermEvent } from 'isotherm'
import type { StoredCopies } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'

/** The keys of which a process has reported that an item has two copies. */
export class ReportedCopies {
  readonly #keys = new Set<string>()

  noticed(event: IsothermEvent): void {
    if (event.type !== 'two-copies' || event.sourceCopy !== 'kept') return
    this.#keys.add(nameOf(event.table, contentOfKey(event.logicalKey)))
  }

  /**
   * A change that does not come to its end because an item of its key has two copies. People have to be asked.
   * @returns whether an item has two copies
   * @throws Violation if no event reported it
   */
  requireReported(table: string, key: string, items: readonly StoredCopies[]): boolean {
    const twice = items.filter(({ shards }) => shards.size > 1)
    if (twice.length === 0) return false
    if (this.#keys.has(nameOf(table, key))) return true
    const seen = `${key} ${twice[0]?.sort} is in ${[...(twice[0]?.shards ?? [])].join(' and ')}, and its change waits`
    throw new Violation('two copies are reported', seen, [key])
  }
}

function nameOf(table: string, key: string): string {
  return `${table}\n${key}`
}

/** Keys of the workloads are strings. */
function contentOfKey(key: unknown): string {
  return String(key)
}
