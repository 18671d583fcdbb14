import { useState } from 'preact/hooks'
import type { ConsoleTable } from '../../src/api/tables'
import { bytesText, figure, percent } from '../format/figures'
import { tables } from '../state/data'
import { show, showTable, view } from '../state/view'
import { DeleteTables, PurgeTables, type TablePlace } from './table-changes'
import { filteredTables, TableFilter } from './table-filter'
import { type TableSizes, useTableSizes } from './use-table-sizes'
import './tables.css'

/** All tables with their sizes, to be chosen, created, purged and deleted. */
export function AllTables() {
  const list = filteredTables(tables.value?.tables ?? [])
  const readOnly = tables.value?.offers?.readOnly
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [asked, ask] = useState<'purge' | 'delete' | undefined>()
  const [turn, setTurn] = useState(0)
  const sizes = useTableSizes(list, turn)
  const places = list.filter((table) => chosen.has(idOf(table)))
  const toggle = (ids: readonly string[], isIn: boolean) => {
    const rest = [...chosen].filter((id) => !ids.includes(id))
    choose(new Set(isIn ? [...rest, ...ids] : rest))
  }
  const close = () => {
    ask(undefined)
    setTurn((count) => count + 1)
  }
  const ids = list.map(idOf)
  return (
    <section class="all-tables" aria-label="All tables">
      <div class="toolbar">
        <TableFilter />
        <span role="status">
          {list.length} of {tables.value?.tables.length ?? 0} tables
        </span>
        {readOnly === undefined && (
          <>
            <button type="button" class="primary" onClick={() => show({ tab: 'create' }, true)}>
              New table
            </button>
            <button type="button" disabled={places.length === 0} onClick={() => ask('purge')}>
              Purge selected …
            </button>
            <button type="button" disabled={places.length === 0} onClick={() => ask('delete')}>
              Delete selected …
            </button>
          </>
        )}
      </div>
      {readOnly !== undefined && <p class="hint">{readOnly}</p>}
      {list.length === 0 && <p class="hint large">{noTableText(view.value.filter)}</p>}
      {list.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide.
        <section class="scrolls" aria-label="Table of tables" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {readOnly === undefined && (
                  <th scope="col">
                    <input
                      type="checkbox"
                      aria-label="Select all tables"
                      checked={places.length === list.length}
                      onChange={({ currentTarget }) => toggle(ids, currentTarget.checked)}
                    />
                  </th>
                )}
                <th scope="col">Table</th>
                <th scope="col">Items</th>
                <th scope="col">Size</th>
                <th scope="col">Capacity</th>
                <th scope="col">Indexes</th>
                <th scope="col">Units/s</th>
                <th scope="col">Throttled/s</th>
                <th scope="col">Of a partition</th>
              </tr>
            </thead>
            <tbody>
              {list.map((table) => (
                <TableRow
                  key={idOf(table)}
                  table={table}
                  sizes={sizes.get(idOf(table))}
                  isChosen={chosen.has(idOf(table))}
                  onChoose={readOnly === undefined ? (isIn) => toggle([idOf(table)], isIn) : undefined}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {asked === 'purge' && <PurgeTables places={places} onClose={close} />}
      {asked === 'delete' && (
        <DeleteTables places={places} onClose={close} onDeleted={() => choose(new Set())} />
      )}
    </section>
  )
}

function noTableText(filter: string): string {
  return filter.trim() === '' ? 'There is no table yet.' : `No table name matches '${filter}'.`
}

function idOf({ region, name }: TablePlace): string {
  return `${region}/${name}`
}

function itemsText(sizes: TableSizes | undefined): string {
  if (sizes === undefined) return '…'
  return sizes.failure === undefined ? figure(sizes.items) : 'not available'
}

interface TableRowProps {
  readonly table: ConsoleTable
  readonly sizes: TableSizes | undefined
  readonly isChosen: boolean
  readonly onChoose: ((isIn: boolean) => void) | undefined
}

function TableRow({ table, sizes, isChosen, onChoose }: TableRowProps) {
  const { region, name, globalIndexes, writes, reads, throttles, peak } = table
  return (
    <tr>
      {onChoose !== undefined && (
        <td>
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={isChosen}
            onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
          />
        </td>
      )}
      <th scope="row">
        <button type="button" class="link" onClick={() => showTable({ tab: 'items', region, table: name })}>
          {name}
        </button>
      </th>
      <td title={sizes?.failure}>{itemsText(sizes)}</td>
      <td>{sizes?.failure === undefined && sizes !== undefined ? bytesText(sizes.bytes) : ''}</td>
      <td>{sizes?.billing ?? ''}</td>
      <td>{globalIndexes.length}</td>
      <td>{figure(writes + reads)}</td>
      <td class={throttles > 0 ? 'hot' : ''}>{figure(throttles)}</td>
      <td>{tables.value?.offers === undefined ? percent(peak) : ''}</td>
    </tr>
  )
}
