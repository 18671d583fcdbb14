import type { ConsoleTable } from '../../src/api/tables'
import { show, view } from '../state/view'

/** Words that the names of the tables must have. */
export function TableFilter() {
  return (
    <input
      type="search"
      aria-label="Find tables by name"
      placeholder="Find tables"
      value={view.value.filter}
      onInput={({ currentTarget }) => show({ filter: currentTarget.value })}
    />
  )
}

/** The tables whose names have all words of the filter, by name: an entry must not move while the pointer is on its way to it. */
export function filteredTables(tables: readonly ConsoleTable[]): readonly ConsoleTable[] {
  const words = view.value.filter.toLowerCase().split(/\s+/)
  return tables
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .sort((a, b) => (`${a.name} ${a.region}` < `${b.name} ${b.region}` ? -1 : 1))
}
