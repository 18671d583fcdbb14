import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeatKeyspace, Site } from '@isotherm/local'
import { type Clock, SystemClock } from '@isotherm/runtime'
import { API_VERSION, type HeatEvent, type HeatMap } from '../api/heat-map.js'
import { EventLog } from '../events/event-log.js'
import { heatMap } from '../heat-map/heat-map.js'
import type { ConsoleSource } from '../source/console-source.js'
import { type Asset, readAssets } from './assets.js'
import { ConsoleError } from './console-error.js'
import { LiveUpdates } from './live-updates.js'
import { heatMapRequest } from './parameters.js'
import { checkOrigin, secure } from './security.js'
import { tableList } from './table-list.js'

/** Where the console is, at every endpoint that serves it. */
export const CONSOLE_PATH = '/_isotherm/'

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
  readonly clock?: Clock
  /** The folder of the built page. The default is the one that comes with this package. */
  readonly pages?: string
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
export function consoleSite({ source, clock = new SystemClock(), pages }: ConsoleSiteOptions): ConsoleSite {
  const assets = readAssets(pages)
  const log = new EventLog()
  const live = new LiveUpdates(clock, () => source.now())
  const api = (request: IncomingMessage, response: ServerResponse, url: URL) => {
    switch (url.pathname.slice(CONSOLE_PATH.length + API_PATH.length)) {
      case 'tables':
        return sendJson(request, response, 200, tableList(source))
      case 'heat':
        return sendJson(request, response, 200, mapOf(source, log, url.searchParams))
      case 'live':
        return live.subscribe(response)
      default:
        throw new ConsoleError(
          'request.path',
          404,
          `There is no ${url.pathname}. There are tables, heat and live.`,
        )
    }
  }
  return {
    path: CONSOLE_PATH,
    serve(request, response) {
      secure(response)
      try {
        const url = new URL(request.url ?? '/', 'http://console')
        const name = url.pathname.slice(CONSOLE_PATH.length)
        checkOrigin(request, name === '')
        if (request.method !== 'GET' && request.method !== 'HEAD') {
          response.setHeader('allow', 'GET, HEAD')
          throw new ConsoleError('request.method', 405, `${request.method} is not allowed here. Send GET.`)
        }
        if (name.startsWith(API_PATH)) return api(request, response, url)
        const asset = assets.get(name === '' ? 'index.html' : name)
        if (asset === undefined) throw new ConsoleError('request.path', 404, `There is no ${url.pathname}.`)
        sendAsset(request, response, asset)
      } catch (error) {
        if (!(error instanceof ConsoleError)) throw error
        const { code, message, status } = error
        sendJson(request, response, status, { error: { code, message } })
      }
    },
    event(event) {
      log.add(event)
      live.event(event)
    },
    close: () => live.close(),
  }
}

function mapOf(source: ConsoleSource, log: EventLog, parameters: URLSearchParams): HeatMap {
  const now = source.now()
  const wanted = heatMapRequest(parameters, now)
  const { region, table, index } = wanted
  const known = source.tables().find((each) => each.region === region && each.name === table)
  if (known === undefined || (index !== undefined && !known.globalIndexes.includes(index))) {
    const what = index === undefined ? `table ${table}` : `index ${index} of ${table}`
    throw new ConsoleError(
      'request.table',
      404,
      `There is no ${what} in ${region}. v1/tables has those that there are.`,
    )
  }
  const request = { ...wanted, delimiter: wanted.delimiter ?? known.delimiter }
  const keyspace: HeatKeyspace = { region, table, index }
  const span = source.heat(keyspace, request)
  const { limit } = source
  const partitions = source.partitions(keyspace)
  return heatMap({ span, partitions, limit, events: log.of(table, index), now }, request)
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
