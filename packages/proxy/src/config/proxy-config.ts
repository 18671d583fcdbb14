import { z } from 'zod'
import { duration, integer, members, named, text, texts, word } from './option-schemas.js'
import { table } from './table-schemas.js'

const MEGABYTE = 1024 * 1024

/** The largest body that fits into a Buffer together with its decoded form. */
const MAX_BODY_BYTES = 512 * MEGABYTE

const limits = members({
  bodyBytes: integer(1_024, MAX_BODY_BYTES).optional().describe('The size of one body; 32 MB without it.'),
  allBodiesBytes: integer(1_024, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The size of all bodies in progress; 256 MB without it.'),
  requests: integer(1, 100_000).optional().describe('Requests in progress; 1,024 without it.'),
  connections: integer(1, 100_000).optional().describe('Connections of callers; 4,096 without it.'),
  request: duration.optional().describe('The time to execute a request; 50s without it.'),
  receive: duration.optional().describe('The time to receive a request; 30s without it.'),
  idle: duration.optional().describe('How long a connection may be idle; 75s without it.'),
  stop: duration.optional().describe('How long requests may continue when the proxy stops; 25s without it.'),
})

const url = z.url({ protocol: /^https?$/, error: 'a URL such as http://127.0.0.1:8000' })

/** The file of `isotherm proxy --config`. */
export const proxyConfig = members({
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
  region: text('the name of a region, such as eu-central-1')
    .optional()
    .describe("The upstream's region; the SDK's own without it."),
  profile: text('the name of a profile')
    .optional()
    .describe('The profile of the credentials for the upstream.'),
  upstream: url.optional().describe('The endpoint that requests go to; Amazon DynamoDB without it.'),
  upstreamConnections: integer(1, 10_000).optional().describe('Connections to the upstream; 256 without it.'),
  port: integer(0, 65_535)
    .optional()
    .describe('The port to listen on; 8010 without it, 0 takes any free one.'),
  host: text('an address of this machine')
    .optional()
    .describe('The address to bind to; 127.0.0.1 without it.'),
  allowedHosts: texts('a list of host names')
    .optional()
    .describe('Names of this machine in the Host header of requests, besides those of loopback.'),
  callers: members({ credentialsFile: text('the path of a file such as ~/.aws/credentials') })
    .optional()
    .describe('The access keys that callers must sign with. Any are accepted without it.'),
  limits: limits.optional().describe('What the proxy takes from its callers at a time.'),
  metrics: members({
    otlp: url.optional().describe('The collector that OpenTelemetry metrics are sent to.'),
    every: duration.optional().describe('How often they are sent; 60s without it.'),
    hottestKeys: integer(1, 100).optional().describe("How many of each table's hottest keys are gauges."),
  }).optional(),
  tableMetrics: word('cloudWatch')
    .optional()
    .describe('Tells a hot partition from a small table where the service gives no reason for throttles.'),
  tables: named(table, 'an object with a member for each sharded table').describe(
    'The tables that are sharded or have sharded indexes, by name. Requests for others pass through.',
  ),
})

export type ProxyConfig = z.infer<typeof proxyConfig>
export type LimitsConfig = z.infer<typeof limits>
