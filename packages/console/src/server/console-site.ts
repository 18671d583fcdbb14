import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeatKeyspace, HeatRequest, Site } from '@isotherm/local'
import { type Clock, SystemClock } from '@isotherm/runtime'
import { CONSOLE_PATH } from '../api/console-api.js'
import { API_VERSION, type HeatEvent, type HeatMap, type HeatMapRow } from '../api/heat-map.js'
import type { LiveTick } from '../api/live-tick.js'
import type { PartitionList } from '../api/partitions.js'
import type { ProcessHeat } from '../api/process-heat.js'
import { EventLog } from '../events/event-log.js'
import { indexQueueEvents } from '../events/index-queue-events.js'
import { joinedEvents, ShardMaps } from '../events/shard-maps.js'
import { heatMap } from '../heat-map/heat-map.js'
import type { ScenarioRunner } from '../scenarios/scenario-runner.js'
import type { ConsoleSource } from '../source/console-source.js'
import { SourceError } from '../source/source-error.js'
import { adviceFor } from './advice.js'
import { type Asset, readAssets } from './assets.js'
import { ConsoleError } from './console-error.js'
import { LiveUpdates } from './live-updates.js'
import { heatMapRequest, keyspaceRequest } from './parameters.js'
import { partitionList } from './partition-list.js'
import { reportedEvent } from './reported-event.js'
import { ScenarioSite } from './scenario-site.js'
import { checkOrigin, secure } from './security.js'
import { shardMapOf } from './shard-map.js'
import { tableList } from './table-list.js'

const API_PATH = `v${API_VERSION}/`

/** The console of an endpoint. */
export interface ConsoleSite extends Site {
  /** Shows an event on the time axis, to everyone who looks at its table. */
  event(event: HeatEvent): void
}

/** Options of `consoleSite`. */
export interface ConsoleSiteOptions {
  readonly source: ConsoleSource
  /** Paces the updates of open pages. The default is the system clock. */
  readonly clock?: Clock | undefined
  /** Runs scenarios from the page. There are none without it. */
  readonly scenarios?: ScenarioRunner | undefined
  /** The folder of the built page. The default is the one that comes with this package. */
  readonly pages?: string | undefined
}

/**
 * The web console and its API, for `listen` of an engine.
 *
 * @example
 * const local = createLocal({ heat: true })
 * const site = consoleSite({ source: localSource(local) })
 * const { url } = await local.listen({ port: 8000, site })
 * console.log(`${url}${CONSOLE_PATH}`)
 */
export function consoleSite({
  source,
  clock = new SystemClock(),
  scenarios,
  pages,
}: ConsoleSiteOptions): ConsoleSite {
  // Read at the first look at the page: most of those who start an endpoint never open it.
  let assets: ReadonlyMap<string, Asset> | undefined
  const assetOf = (name: string) => {
    assets ??= readAssets(pages)
    return assets.get(name)
  }
  const log = new EventLog()
  const stored = new ShardMaps(source)
  const runs = new ScenarioSite(scenarios, clock)
  const live = new LiveUpdates(clock, () => tickOf(source))
  const event = (happened: HeatEvent) => {
    log.add(happened)
    live.event(happened)
  }
  const api = async (request: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL) => {
    switch (pathname.slice(CONSOLE_PATH.length + API_PATH.length)) {
      case 'tables':
        return sendJson(request, response, 200, await tableList(source))
      case 'heat':
        return sendJson(request, response, 200, await mapOf(source, log, stored, searchParams))
      case 'partitions':
        return sendJson(request, response, 200, await partitionsOf(source, searchParams))
      case 'advice': {
        const { region, table } = await keyspaceOf(source, searchParams)
        return sendJson(request, response, 200, await adviceFor(source, region, table))
      }
      case 'shards': {
        const { region, table } = await keyspaceOf(source, searchParams)
        const found = await stored.read(region, table)
        return sendJson(request, response, 200, shardMapOf(table, found, log.of(table, undefined)))
      }
      case 'process':
        return sendJson(request, response, 200, processHeatOf(source, await keyspaceOf(source, searchParams)))
      case 'live':
        return live.subscribe(request, response)
      default: {
        const there =
          'There are tables, heat, partitions, advice, shards, process, events, scenarios and live.'
        throw new ConsoleError('request.path', 404, `There is no ${pathname}. ${there}`)
      }
    }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://console')
    const name = url.pathname.slice(CONSOLE_PATH.length)
    checkOrigin(request, name === '')
    if (name.startsWith(API_PATH)) {
      const run = await runs.answer(request, name.slice(API_PATH.length))
      if (run !== undefined) return sendJson(request, response, run.status, run.body)
      if (name === `${API_PATH}events`) {
        event(await reportedEvent(request))
        return sendJson(request, response, 202, {})
      }
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      throw new ConsoleError('request.method', 405, `${request.method} is not allowed here. Send GET.`)
    }
    if (name.startsWith(API_PATH)) return api(request, response, url)
    const asset = assetOf(name === '' ? 'index.html' : name)
    if (asset === undefined) throw new ConsoleError('request.path', 404, `There is no ${url.pathname}.`)
    sendAsset(request, response, asset)
  }
  return {
    path: CONSOLE_PATH,
    serve(request, response) {
      secure(response)
      answer(request, response).catch((error: unknown) => refuse(request, response, error))
    },
    event,
    close() {
      live.close()
      runs.close()
    },
  }
}

function tickOf(source: ConsoleSource): LiveTick {
  const outage = source.outage?.()
  return { now: source.now(), ...(outage === undefined ? {} : { outage }) }
}

async function mapOf(
  source: ConsoleSource,
  log: EventLog,
  stored: ShardMaps,
  parameters: URLSearchParams,
): Promise<HeatMap> {
  const now = source.now()
  const wanted = heatMapRequest(parameters, now)
  const { keyspace, delimiter, indexes } = await known(source, wanted)
  const { region, table, index } = keyspace
  const changes = index === undefined ? await stored.changes(region, table) : []
  const ofKeys = stored.delimiterOf(region, table) ?? delimiter
  const request = { ...wanted, delimiter: wanted.delimiter ?? ofKeys }
  const span = await source.heat(keyspace, request)
  const { limit } = source
  const partitions = await source.partitions(keyspace)
  const full =
    index === undefined
      ? await queuesOf(source, keyspace, indexes, request)
      : indexQueueEvents(span, table, index)
  const events = joinedEvents([...log.of(table, index), ...full], changes)
  const notes = await source.notes?.(keyspace)
  const map = heatMap({ span, partitions, limit, events, now }, request)
  const { noPartitions } = source.offers ?? {}
  if (request.by === 'partition' && noPartitions !== undefined) {
    return { ...map, rows: map.rows.map(asWhole), notes: [noPartitions, ...(notes ?? [])] }
  }
  return { ...map, ...(notes && { notes }) }
}

/** Where partitions are unknown, the whole table stands for one. */
function asWhole(row: HeatMapRow): HeatMapRow {
  return row.kind === 'partition' ? { ...row, label: 'the whole table, or index' } : row
}

/** When the queues of a table's indexes became full. Known where the histories of the indexes cost no requests. */
async function queuesOf(
  source: ConsoleSource,
  { region, table }: HeatKeyspace,
  indexes: readonly string[],
  request: HeatRequest,
): Promise<readonly HeatEvent[]> {
  if (source.isInProcess !== true) return []
  const found = indexes.map(async (index) => {
    const span = await source.heat({ region, table, index }, request)
    return indexQueueEvents(span, table, index)
  })
  return (await Promise.all(found)).flat()
}

/** The table or index in the parameters of a request that takes no others. */
async function keyspaceOf(source: ConsoleSource, parameters: URLSearchParams): Promise<HeatKeyspace> {
  return (await known(source, keyspaceRequest(parameters))).keyspace
}

/** @throws ConsoleError `process.none` */
function processHeatOf(source: ConsoleSource, keyspace: HeatKeyspace): ProcessHeat {
  const process = source.offers?.process
  const found = source.processHeat?.(keyspace)
  if (process === undefined || found === undefined) {
    const message = 'This console is not part of a process of the library. isotherm proxy --console is.'
    throw new ConsoleError('process.none', 404, message)
  }
  return { version: 1, table: keyspace.table, process, ...found }
}

async function partitionsOf(source: ConsoleSource, parameters: URLSearchParams): Promise<PartitionList> {
  return partitionList(source, await keyspaceOf(source, parameters))
}

/** @throws ConsoleError `request.table` if there is no such table or index */
async function known(source: ConsoleSource, { region, table, index }: HeatKeyspace) {
  const found = (await source.tables()).find((each) => each.region === region && each.name === table)
  if (found !== undefined && (index === undefined || found.globalIndexes.includes(index))) {
    const { delimiter, globalIndexes: indexes } = found
    return { keyspace: { region, table, index }, delimiter, indexes }
  }
  const what = index === undefined ? `table ${table}` : `index ${index} of ${table}`
  const message = `There is no ${what} in ${region}. Choose one from the list of tables, v1/tables.`
  throw new ConsoleError('request.table', 404, message)
}

/** Anything but a refusal is a bug, and the page shows its message. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  if (error instanceof ConsoleError) {
    const { code, message, status } = error
    sendJson(request, response, status, { error: { code, message } })
    return
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SourceError) {
    sendJson(request, response, 502, { error: { code: 'source.failed', message } })
    return
  }
  sendJson(request, response, 500, { error: { code: 'console.bug', message } })
}

function sendJson(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.setHeader('cache-control', 'no-store')
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/** The name of a file stays when its content changes, so a browser has to ask whether it did. */
function sendAsset(request: IncomingMessage, response: ServerResponse, { type, body, tag }: Asset): void {
  response.setHeader('cache-control', 'no-cache')
  response.setHeader('etag', tag)
  if (request.headers['if-none-match'] === tag) {
    response.writeHead(304)
    response.end()
    return
  }
  response.writeHead(200, { 'content-type': type, 'content-length': body.length })
  response.end(request.method === 'HEAD' ? undefined : body)
}
