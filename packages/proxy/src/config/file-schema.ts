import { isHostName } from '@isotherm/local/service'
import * as v from 'valibot'
import { described, integer, members, named, optional, text, time, word } from './option-schemas.js'
import { table } from './table-schemas.js'

const MEGABYTE = 1024 * 1024

/** The largest body that fits into a Buffer together with its decoded form. */
const MAX_BODY_BYTES = 512 * MEGABYTE

const limits = members({
  bodyBytes: optional(integer(1_024, MAX_BODY_BYTES), 'The size of one body; 32 MB without it.'),
  allBodiesBytes: optional(
    integer(1_024, Number.MAX_SAFE_INTEGER),
    'The size of all bodies in progress; 256 MB without it.',
  ),
  requests: optional(integer(1, 100_000), 'Requests in progress; 1,024 without it.'),
  connections: optional(integer(1, 100_000), 'Connections of callers; 4,096 without it.'),
  // Node takes 0 as no limit, and ends timers of more than 24 days at once.
  request: optional(time('1ms', '24h'), 'The time to execute a request; 50s without it.'),
  receive: optional(time('1ms', '24h'), 'The time to receive a request; 30s without it.'),
  idle: optional(time('1ms', '24h'), 'How long a connection may be idle; 75s without it.'),
  stop: optional(time('0s', '24h'), 'How long requests may continue when the proxy stops; 25s without it.'),
})

const URL_RULE = 'a URL such as http://127.0.0.1:8000'

const url = v.pipe(v.string(URL_RULE), v.url(URL_RULE), v.regex(/^https?:/, URL_RULE))

const HOST_RULE = 'a name without scheme and port, such as isotherm.internal'

const hostName = v.pipe(
  text(HOST_RULE),
  v.check((name: string) => isHostName(name), HOST_RULE),
)

/** The file of `isotherm proxy --config`. */
export const fileSchema = members({
  $schema: optional(v.string(), 'The JSON Schema of this file, for editors.'),
  region: optional(
    text('the name of a region, such as eu-central-1'),
    "The upstream's region; the SDK's own without it.",
  ),
  profile: optional(text('the name of a profile'), 'The profile of the credentials for the upstream.'),
  upstream: optional(url, 'The endpoint that requests go to; Amazon DynamoDB without it.'),
  upstreamConnections: optional(integer(1, 10_000), 'Connections to the upstream; 256 without it.'),
  port: optional(integer(0, 65_535), 'The port to listen on; 8010 without it, 0 takes any free one.'),
  host: optional(text('an address of this machine'), 'The address to bind to; 127.0.0.1 without it.'),
  allowedHosts: optional(
    v.array(hostName, 'a list of host names'),
    'Names of this machine in the Host header of requests, besides those of loopback.',
  ),
  callers: optional(
    members({ credentialsFile: text('the path of a file such as ~/.aws/credentials') }),
    'The access keys that callers must sign with. Any are accepted without it.',
  ),
  limits: optional(limits, 'What the proxy takes from its callers at a time.'),
  metrics: v.optional(
    members({
      otlp: optional(url, 'The collector that OpenTelemetry metrics are sent to.'),
      every: optional(time('1s', '24h'), 'How often they are sent; 60s without it.'),
      hottestKeys: optional(integer(1, 100), "How many of each table's hottest keys are gauges."),
    }),
  ),
  tableMetrics: optional(
    word('cloudWatch'),
    'Tells a hot partition from a small table where the service gives no reason for throttles.',
  ),
  tables: described(
    named(table, 'an object with a member for each sharded table'),
    'The tables that are sharded or have sharded indexes, by name. Requests for others pass through.',
  ),
})
