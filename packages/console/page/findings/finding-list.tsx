import type { FindingPlace } from '../../src/findings/finding'
import { findingsOf } from '../../src/findings/findings'
import { figure, percent } from '../format/figures'
import { shortKeyText } from '../format/redact'
import type { ShownMap } from '../map/grid'
import { zoomTo } from '../map/zoom'
import { view } from '../state/view'

const WORDS = { hot: 'Hot', limited: 'Limited', warm: 'Warm', cooled: 'Cooled', calm: 'Calm' } as const

/** What the map shows, in sentences. */
export function FindingList({ of }: { readonly of: ShownMap }) {
  const findings = findingsOf(of, { key: shortKeyText, figure, percent })
  return (
    <ul class="findings" aria-label="What the map shows">
      {findings.map(({ pattern, level, title, evidence, cure, place }) => (
        <li key={title} class={level}>
          <b class="level">{WORDS[level]}</b>
          <span>
            <strong>{title}.</strong> {evidence} <span class="cure">{cure}</span>
          </span>
          {place !== undefined && pattern !== 'calm' && (
            <button type="button" class="select" onClick={() => select(of, place)}>
              Show it<span class="unseen">: {title}</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Shows the rectangle that a finding is about. */
function select(of: ShownMap, { rows, columns }: FindingPlace): void {
  const [from, to] = [0, 1].map((end) => ({ row: rows[end] ?? 0, column: columns[end] ?? 0 }))
  if (from !== undefined && to !== undefined) zoomTo(of, from, to, view.value.by === 'key')
}
