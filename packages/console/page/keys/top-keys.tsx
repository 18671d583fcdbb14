import { useState } from 'preact/hooks'
import type { HeatMap, HeatMapRow } from '../../src/api/heat-map'
import { figure, percent } from '../format/figures'
import { keyText } from '../format/redact'
import { CopyButton } from '../map/tooltip'

type Column = 'share' | 'peak' | 'writes' | 'reads' | 'throttles' | 'shards'

const COLUMNS: readonly { readonly name: Column; readonly title: string; readonly hint: string }[] = [
  { name: 'share', title: 'Share', hint: "of the table's units in this span" },
  { name: 'peak', title: 'Of a partition', hint: 'the hottest second of its hottest shard' },
  { name: 'writes', title: 'Writes/s', hint: 'accepted units, on average over the span' },
  { name: 'reads', title: 'Reads/s', hint: 'accepted units, on average over the span' },
  { name: 'throttles', title: 'Throttled', hint: 'requests in this span' },
  { name: 'shards', title: 'Shards', hint: 'with traffic in this span' },
]
const SHOWN = 15

/** The hottest keys as a table, which screen readers and the clipboard can use. */
export function TopKeys({ of }: { readonly of: HeatMap }) {
  const [sorted, sort] = useState<Column>('peak')
  const seconds = of.columns * of.seconds
  const all = of.rows.filter(({ depth }) => depth === 0).reduce((sum, row) => sum + unitsOf(row), 0)
  const rows = of.rows.filter(({ kind, depth }) => depth === 0 && kind !== 'range' && kind !== 'rest')
  const value = (row: HeatMapRow, column: Column): number => {
    switch (column) {
      case 'share':
        return all === 0 ? 0 : (100 * unitsOf(row)) / all
      case 'peak':
        return row.peak
      case 'writes':
        return row.writeUnits / seconds
      case 'reads':
        return row.readUnits / seconds
      case 'throttles':
        return row.throttles
      case 'shards':
        return row.keys
    }
  }
  const top = [...rows].sort((a, b) => value(b, sorted) - value(a, sorted)).slice(0, SHOWN)
  return (
    <section class="top-keys" aria-labelledby="top-keys-title">
      <h2 id="top-keys-title">Hottest keys</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide. */}
      <section class="scrolls" aria-label="Table of the hottest keys" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Key</th>
              {COLUMNS.map(({ name, title, hint }) => (
                <th scope="col" key={name} aria-sort={sorted === name ? 'descending' : 'none'}>
                  <button type="button" title={hint} onClick={() => sort(name)}>
                    {title} {sorted === name ? '▾' : ''}
                  </button>
                </th>
              ))}
              <th scope="col">
                <span class="unseen">Copy</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {top.map((row) => (
              <tr key={row.id}>
                <th scope="row">{keyText(row.label)}</th>
                {COLUMNS.map(({ name }) => (
                  <td key={name} class={name === 'throttles' && row.throttles > 0 ? 'hot' : ''}>
                    {name === 'share' || name === 'peak'
                      ? percent(value(row, name))
                      : figure(value(row, name))}
                  </td>
                ))}
                <td>
                  <CopyButton text={row.label} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

function unitsOf({ writeUnits, readUnits }: HeatMapRow): number {
  return writeUnits + readUnits
}
