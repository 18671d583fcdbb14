import { useState } from 'preact/hooks'
import type { ShardedKey, ShardMap } from '../../src/api/shards'
import { dayTime } from '../format/figures'
import { keyText } from '../format/redact'
import { useApi } from '../state/use-api'

/** The logical keys of a table with their shard counts, and how these have changed. */
export function ShardMapView() {
  const { answer, failure } = useApi<ShardMap>('shards', { follows: false })
  const [text, setText] = useState('')
  if (failure !== undefined) return <p class="failure">{failure}</p>
  if (answer === undefined) return <p class="hint">Loading …</p>
  const { table, shardMap, found, keys } = answer
  if (shardMap === undefined) {
    return (
      <p class="hint large">
        {table} has no shard map: there is no table {table}_shard_map. The library creates it with dynamic
        shard counts.
      </p>
    )
  }
  const shown = keys.filter(({ key }) => key.includes(text))
  return (
    <section aria-label="Shard map">
      <div class="toolbar">
        <label>
          Key contains
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <span role="status">
          {shown.length} of {found} keys of {shardMap}
        </span>
      </div>
      {found === 0 && (
        <p class="hint large">No key has a count of its own yet. All have the initial count.</p>
      )}
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide.
        <section class="scrolls" aria-label="Table of sharded keys" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Shards</th>
                <th scope="col">Phase</th>
                <th scope="col">Since</th>
                <th scope="col">Changes, the newest first</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((each) => (
                <KeyRow key={each.key} of={each} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}

function KeyRow({ of: { key, shards, to, phase, since, changes } }: { readonly of: ShardedKey }) {
  return (
    <tr>
      <th scope="row">{keyText(key)}</th>
      <td>{to === undefined ? shards : `${shards} → ${to}`}</td>
      <td>{phase}</td>
      <td>{since === undefined ? 'not recorded' : dayTime(since)}</td>
      <td>
        {changes.length === 0
          ? 'none recorded'
          : changes
              .map(
                ({ at, from, to: count, reason }) =>
                  `${dayTime(at)}: ${from} → ${count}${reason === undefined ? '' : ` (${reason})`}`,
              )
              .join('; ')}
      </td>
    </tr>
  )
}
