import type { ShownMap } from '../map/grid'
import { findingsOf } from './findings'

const WORDS = { hot: 'Hot', limited: 'Limited', cooled: 'Cooled', calm: 'Calm' } as const

/** What the map shows, in sentences. */
export function FindingList({ of }: { readonly of: ShownMap }) {
  const findings = findingsOf(of)
  return (
    <ul class="findings" aria-label="What the map shows">
      {findings.map(({ level, title, evidence, cure }) => (
        <li key={title} class={level}>
          <b class="level">{WORDS[level]}</b>
          <span>
            <strong>{title}.</strong> {evidence} <span class="cure">{cure}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
