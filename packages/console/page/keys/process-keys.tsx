import type { ProcessHeat, ProcessKey } from '../../src/api/process-heat'
import { figure, percent } from '../format/figures'
import { keyText } from '../format/redact'
import type { ShownMap } from '../map/grid'
import { Failure } from '../state/unanswered'
import { useApi } from '../state/use-api'

/** The hottest logical keys of the process that serves the console, now. It knows its own requests by the second. */
export function ProcessKeys({ limit }: Pick<ShownMap, 'limit'>) {
  const { answer, failure } = useApi<ProcessHeat>('process', { follows: true })
  if (answer === undefined) return <Failure text={failure} />
  const { process, writes, reads } = answer
  return (
    <section class="top-keys" aria-labelledby="process-keys-title">
      <h2 id="process-keys-title">Hottest keys of {process}, now</h2>
      <Failure text={failure} />
      <p class="hint">
        Of its own requests in the last five seconds. Other writers of the table are not included.
      </p>
      {writes.length + reads.length === 0 && <p class="hint">No request for this table yet.</p>}
      <KeyTable name="Writes" keys={writes} most={limit.writes} />
      <KeyTable name="Reads" keys={reads} most={limit.reads} />
    </section>
  )
}

interface KeyTableProps {
  readonly name: string
  readonly keys: readonly ProcessKey[]
  /** What one partition serves. */
  readonly most: number
}

function KeyTable({ name, keys, most }: KeyTableProps) {
  if (keys.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide.
    <section class="scrolls" aria-label={`${name} of the process`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {[name, 'Shards', 'Each shard, of a partition', 'Offered/s', 'Accepted/s', 'Throttled/s'].map(
              (title) => (
                <th scope="col" key={title}>
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {keys.map(({ key, shards, offered, accepted, throttled }) => (
            <tr key={key}>
              <th scope="row" title={keyText(key)}>
                {keyText(key)}
              </th>
              <td>{shards ?? 'not known'}</td>
              <td>{percent((100 * accepted) / most / (shards ?? 1))}</td>
              <td>{figure(offered)}</td>
              <td>{figure(accepted)}</td>
              <td class={throttled > 0 ? 'hot' : ''}>{figure(throttled)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
