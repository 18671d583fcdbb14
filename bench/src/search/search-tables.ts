import type { PeerFigures } from './measure-peers.js'
import type { DirectoryFigures, QueryFigures } from './measure-queries.js'
import { WHOLE_TENANT } from './measure-scans.js'
import type { WriteCosts } from './measure-writes.js'
import type { Taken } from './measured-engine.js'
import { percentile } from './percentile.js'

export interface SearchFigures {
  readonly contacts: number
  readonly writes: readonly WriteCosts[]
  readonly directory: DirectoryFigures | undefined
  readonly scans: readonly QueryFigures[]
  readonly peers: readonly PeerFigures[]
}

/** All figures that there are as Markdown. */
export function searchTables({ contacts, writes, directory, scans, peers }: SearchFigures): string {
  if (directory === undefined) return writeTable(writes)
  return [
    writeTable(writes),
    queryTable(contacts, [...directory.queries, ...scans]),
    ...comparedWithScan(directory.queries, scans),
    peerTable(directory, peers),
  ].join('\n\n')
}

function writeTable(all: readonly WriteCosts[]): string {
  const rows: readonly (readonly [string, (costs: WriteCosts) => string])[] = [
    ['search items of a contact', ({ searchItems }) => rounded(searchItems)],
    ['stored in the table, bytes', ({ tableBytes }) => rounded(tableBytes)],
    ['stored in the index, bytes', ({ indexBytes }) => rounded(indexBytes)],
    ['`import`, WCU', ({ imported }) => rounded(imported.writeUnits)],
    ['`create`, WCU', ({ created }) => rounded(created.writeUnits)],
    ['`update` of the name, WCU', ({ renamed }) => rounded(renamed.writeUnits)],
    ['`update` of the phone number, WCU', ({ rephoned }) => rounded(rephoned.writeUnits)],
    ['`delete`, WCU', ({ deleted }) => rounded(deleted.writeUnits)],
    ['requests of `import`, for a contact', ({ imported }) => rounded(imported.requests)],
    ['requests of `update`', ({ renamed }) => rounded(renamed.requests)],
  ]
  return [
    `| a contact on average | ${all.map(({ search }) => `names and companies by ${search}`).join(' | ')} |`,
    `|---|${all.map(() => '---:|').join('')}`,
    ...rows.map(([name, value]) => `| ${name} | ${all.map(value).join(' | ')} |`),
  ].join('\n')
}

function queryTable(contacts: number, all: readonly QueryFigures[]): string {
  const cells = (taken: readonly Taken[], name: keyof Taken) =>
    `${rounded(percentile(values(taken, name), 0.5))} | ${rounded(percentile(values(taken, name), 0.99))}`
  return [
    `| first page, ${contacts.toLocaleString('en')} contacts of one tenant | RCU, p50 | p99 | requests, p50 | p99 | in sequence, p50 | p99 | short pages | ms, p50 | p99 |`,
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...all.map(
      ({ what, taken, shortShare }) =>
        `| ${what} | ${(['readUnits', 'requests', 'inSequence'] as const).map((name) => cells(taken, name)).join(' | ')} | ${shortShare === undefined ? '' : `${rounded(shortShare * 100)}%`} | ${cells(taken, 'milliseconds')} |`,
    ),
  ].join('\n')
}

/** What a page costs as a part of a scan of the whole tenant. */
function comparedWithScan(
  queries: readonly QueryFigures[],
  scans: readonly QueryFigures[],
): readonly string[] {
  const whole = scans.find(({ what }) => what === WHOLE_TENANT)?.taken[0]?.readUnits
  if (whole === undefined) return []
  const parts = queries
    .filter(({ what }) => what.startsWith('substring'))
    .map(({ what, taken }) => {
      const part = Math.floor(whole / percentile(values(taken, 'readUnits'), 0.99))
      return `1/${part} of that for ${what.replace('substring, ', '')}`
    })
  return [
    `A \`contains\` that reads the whole tenant takes ${rounded(whole)} RCU. At p99, a page by substring takes ${parts.join(', ')}. Short pages have fewer than 100 contacts although more may follow: the work of a page is bounded.`,
  ]
}

function values(taken: readonly Taken[], name: keyof Taken): readonly number[] {
  return taken.map((one) => one[name])
}

function peerTable(directory: DirectoryFigures, peers: readonly PeerFigures[]): string {
  const own = directory.queries.filter(({ what }) => what.startsWith('substring'))
  const times = own.map(({ taken }) => ({
    p50: percentile(values(taken, 'milliseconds'), 0.5),
    p99: percentile(values(taken, 'milliseconds'), 0.99),
  }))
  const { loadSeconds, storedBytes: indexBytes, memoryBytes } = directory
  const name = '`isotherm/search` on the local engine, in memory'
  const all: readonly PeerFigures[] = [
    { name, loadSeconds, indexBytes, memoryBytes, milliseconds: times },
    ...peers,
  ]
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
  return [
    '| substring search in one process | loaded in, s | index, MB | memory of the process, MB | 2 characters, ms, p50 / p99 | 3 characters | 5 characters |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...all.map(
      (peer) =>
        `| ${peer.name} | ${rounded(peer.loadSeconds)} | ${megabytes(peer.indexBytes)} | ${megabytes(peer.memoryBytes)} | ${peer.milliseconds.map(({ p50, p99 }) => `${rounded(p50)} / ${rounded(p99)}`).join(' | ')} |`,
    ),
    '',
    'The index is what is stored: of `isotherm/search` the table and its index, as DynamoDB counts their bytes; of SQLite its pages, with the contacts; of MiniSearch its index as JSON. The memory is what the process holds more with the contacts loaded, of the heap and of WebAssembly.',
  ].join('\n')
}

function rounded(value: number): string {
  return String(value < 100 ? Math.round(value * 10) / 10 : Math.round(value))
}
