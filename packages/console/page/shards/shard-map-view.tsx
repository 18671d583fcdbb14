import { useState } from 'preact/hooks'
import type { ShardedKey, ShardMap } from '../../src/api/shards'
import { dayTime } from '../format/figures'
import { keyText } from '../format/redact'
import { endpointFlag } from '../state/endpoint-flag'
import { Failure, Unanswered } from '../state/unanswered'
import { useApi } from '../state/use-api'
import { changeText } from './change-text'
import { TableCardView } from './table-card-view'
import './shards.css'

/** The logical keys of a table with their shard counts, and how these have changed. */
export function ShardMapView() {
  // The server reads a shard map again only after it was written.
  const { answer, failure } = useApi<ShardMap>('shards', { follows: true })
  const [text, setText] = useState('')
  if (answer === undefined) return <Unanswered failure={failure} />
  const { table, shardMap, card, found, keys } = answer
  if (shardMap === undefined) {
    return (
      <div class="hint large">
        <p>
          {table} has no shard map: there is no table {table}_shard_map. It keeps dynamic shard counts. If{' '}
          {table} is to have them, create it once with{' '}
          <code>
            isotherm shards create-table --table {table} {endpointFlag()}
          </code>
        </p>
        <p>Tables that are not sharded, or that have a fixed number of shards, need none.</p>
      </div>
    )
  }
  const shown = keys.filter(({ key }) => key.includes(text))
  return (
    <section class="shards" aria-label="Shard map">
      <Failure text={failure} />
      {card !== undefined && <TableCardView card={card} />}
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
      {shown.length > 0 && <KeyTable keys={shown} />}
      {shown.some(({ changes }) => changes.some(({ by }) => by === undefined)) && (
        <p class="hint">
          Changes without a process were made by one that does not report to this console. The shard map keeps
          the reason of the latest growth and the latest removal.
        </p>
      )}
    </section>
  )
}

function KeyTable({ keys }: { readonly keys: readonly ShardedKey[] }) {
  return (
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
          {keys.map((each) => (
            <KeyRow key={each.key} of={each} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function KeyRow({ of: { key, shards, to, phase, since, changes } }: { readonly of: ShardedKey }) {
  return (
    <tr>
      <th scope="row" title={keyText(key)}>
        {keyText(key)}
      </th>
      <td>{to === undefined ? shards : `${shards} → ${to}`}</td>
      <td>{phase}</td>
      <td>{since === undefined ? 'not recorded' : dayTime(since)}</td>
      <td class="changes">
        {changes.length === 0 ? (
          'none recorded'
        ) : (
          <ol>
            {changes.map((change) => (
              <li key={`${change.at} ${change.to}`}>
                <time dateTime={new Date(change.at).toISOString()}>{dayTime(change.at, true)}</time>{' '}
                {changeText(change)}
              </li>
            ))}
          </ol>
        )}
      </td>
    </tr>
  )
}
