import type { ConsolePartition, PartitionList } from '../../src/api/partitions'
import { bytesText, figure, percent } from '../format/figures'
import { tables } from '../state/data'
import { Failure, Unanswered } from '../state/unanswered'
import { useApi } from '../state/use-api'

/** The physical partitions of a table: their ranges, sizes and tokens. */
export function PartitionsView() {
  const { answer, failure } = useApi<PartitionList>('partitions', { follows: true })
  if (answer === undefined) return <Unanswered failure={failure} />
  const none = tables.value?.offers?.noPartitions
  if (none !== undefined) return <p class="hint large">{none}</p>
  const { partitions, limit } = answer
  return (
    <section aria-label="Partitions">
      <Failure text={failure} />
      <p class="hint">
        Each partition serves {figure(limit.writes)} write and {figure(limit.reads)} read units a second, and
        saves up a second of them. Tokens are the units that it can serve now.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide. */}
      <section class="scrolls" aria-label="Table of partitions" tabIndex={0}>
        <table class="partitions">
          <thead>
            <tr>
              <th scope="col">Partition</th>
              <th scope="col">Range of hashes</th>
              <th scope="col">Size</th>
              <th scope="col">Write tokens</th>
              <th scope="col">Written</th>
              <th scope="col">Writes throttled</th>
              <th scope="col">Read tokens</th>
              <th scope="col">Read</th>
              <th scope="col">Reads throttled</th>
            </tr>
          </thead>
          <tbody>
            {partitions.map((partition) => (
              <PartitionRow key={partition.id} partition={partition} limit={limit} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

interface RowProps {
  readonly partition: ConsolePartition
  readonly limit: PartitionList['limit']
}

function PartitionRow({ partition: { id, from, to, bytes, write, read }, limit }: RowProps) {
  const range = `${percent(100 * from)} to ${percent(100 * to)}`
  return (
    <tr>
      <th scope="row">{id}</th>
      <td>
        <span class="hash-range" role="img" aria-label={range} title={range}>
          <i style={{ left: `${100 * from}%`, width: `${100 * (to - from)}%` }} />
        </span>
      </td>
      <td>{bytes === undefined ? 'not known yet' : bytesText(bytes)}</td>
      <Tokens available={write.availableUnits} limit={limit.writes} />
      <td>{figure(write.consumedUnits)}</td>
      <td class={write.throttledRequests > 0 ? 'hot' : ''}>{figure(write.throttledRequests)}</td>
      <Tokens available={read.availableUnits} limit={limit.reads} />
      <td>{figure(read.consumedUnits)}</td>
      <td class={read.throttledRequests > 0 ? 'hot' : ''}>{figure(read.throttledRequests)}</td>
    </tr>
  )
}

function Tokens({ available, limit }: { readonly available: number; readonly limit: number }) {
  return (
    <td>
      <meter min={0} max={limit} low={0.1 * limit} value={Math.max(0, available)} aria-label="tokens" />{' '}
      <span class="tokens">{figure(available)}</span>
    </td>
  )
}
