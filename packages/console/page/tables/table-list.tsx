import { useEffect, useRef } from 'preact/hooks'
import type { ConsoleTable } from '../../src/api/tables'
import { figure, percent } from '../format/figures'
import { connection, tables } from '../state/data'
import { show, showTable, view } from '../state/view'
import { filteredTables, TableFilter } from './table-filter'
import './tables.css'

/** All tables, with the heat of the latest minute. */
export function TableList() {
  const list = tables.value
  return (
    <nav class="tables" aria-label="Tables">
      <h2>Tables</h2>
      <TableFilter />
      <div class="tools">
        <button
          type="button"
          aria-current={view.value.tab === 'tables' ? 'page' : undefined}
          onClick={() => show({ tab: 'tables' }, true)}
        >
          All tables
        </button>
        {list?.offers?.readOnly === undefined && (
          <button
            type="button"
            aria-current={view.value.tab === 'create' ? 'page' : undefined}
            onClick={() => show({ tab: 'create' }, true)}
          >
            New table
          </button>
        )}
      </div>
      {list === undefined && (
        <p class="hint">{connection.value === 'lost' ? 'Not available.' : 'Loading …'}</p>
      )}
      {list?.tables.length === 0 && (
        <p class="hint">There is no table yet. One appears here as soon as it is created.</p>
      )}
      {list?.noFigures !== undefined && <p class="hint">No figures: {list.noFigures}</p>}
      <ul>
        {filteredTables(list?.tables ?? []).map((table) => (
          <TableEntry key={`${table.region}/${table.name}`} table={table} />
        ))}
      </ul>
    </nav>
  )
}

function TableEntry({ table }: { readonly table: ConsoleTable }) {
  const { region, name, writes, reads, throttles, peak } = table
  const { tab } = view.value
  const isOfTable = tab !== 'tables' && tab !== 'create' && tab !== 'scenarios'
  const isCurrent = isOfTable && view.value.table === name && view.value.region === region
  const entry = useRef<HTMLLIElement>(null)
  // A linked table may be far down the list, which scrolls apart from the page.
  useEffect(() => {
    if (isCurrent) entry.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isCurrent])
  const choose = () => showTable({ region, table: name, ...(isOfTable ? {} : { tab: 'heat' }) })
  return (
    <li ref={entry}>
      <button type="button" aria-current={isCurrent ? 'page' : undefined} onClick={choose}>
        <span class="name">{breakable(name)}</span>
        <span class="figures">
          {tables.value?.offers === undefined && <b class={throttles > 0 ? 'hot' : ''}>{percent(peak)}</b>}
          <span>{figure(writes + reads)} units/s</span>
          {throttles > 0 && <span class="hot">{figure(throttles)} throttled/s</span>}
        </span>
      </button>
      {isCurrent && table.globalIndexes.length > 0 && (
        <ul class="indexes">
          {['', ...table.globalIndexes].map((index) => (
            <li key={index}>
              <button
                type="button"
                aria-current={view.value.index === index ? 'true' : undefined}
                onClick={() => showTable({ index })}
              >
                {index === '' ? 'the table itself' : index}
              </button>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** The name with places where a line may break. */
function breakable(name: string) {
  const parts = name.split(/(?<=[_.-])/)
  return parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr key={`${at} ${part}`} />, part]))
}
