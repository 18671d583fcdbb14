import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CONSOLE_PATH } from '@isotherm/console'
import { Command } from 'commander'
import type { IsothermEvent } from 'isotherm'
import { calendarClock } from '../calendar-clock.js'
import { CommandError } from '../command-error.js'
import { proxyConsole } from '../console/proxy-console.js'
import { scaledEvent } from '../console/scaled-event.js'
import { readCredentialsFile } from '../credentials-file.js'
import { connectTo, isWithoutRegion } from '../endpoint-client.js'
import { httpUrl, region, wholeNumber } from '../flags.js'
import { interruption, untilInterrupted } from '../interruption.js'
import { isLoopbackAddress } from '../loopback-address.js'
import { OptionRules } from '../option-rules.js'
import { grouped } from '../presentation/figures.js'
import { RepeatedFailures } from '../repeated-failures.js'
import { printable, type Terminal, writeLine } from '../terminal.js'

interface ProxyFlags {
  readonly config?: string
  readonly upstream?: URL
  readonly region?: string
  readonly profile?: string
  readonly port?: number
  readonly host?: string
  readonly console?: boolean
  readonly check?: boolean
  readonly printSchema?: boolean
  readonly json?: boolean
}

/** `isotherm proxy`: the library behind a DynamoDB endpoint, for applications in any language. */
export function proxyCommand(terminal: Terminal): Command {
  const command = new Command('proxy')
    .option('--config <file>', 'the tables and their options, in YAML or JSON')
    .option(
      '--upstream <url>',
      'the endpoint that requests go to; Amazon DynamoDB by default',
      httpUrl('--upstream'),
    )
    .option('--region <name>', "the upstream's region; the SDK's own by default", region('--region'))
    .option('--profile <name>', 'the profile of the credentials for the upstream')
    .option(
      '--port <number>',
      'port to listen on; 8010 by default, 0 takes any free one',
      wholeNumber('--port', 0, 65_535),
    )
    .option('--host <address>', 'address to bind to; 127.0.0.1 by default')
    .option(
      '--console',
      'serve the web console at this endpoint; it shows key values and asks CloudWatch while a page is open',
    )
    .option('--check', 'check the configuration and exit')
    .option('--print-schema', 'print the JSON Schema of the configuration, for editors, and exit')
    .option('--json', 'print lines of JSON: the endpoint, events of the library, and failures')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nFlags take precedence over the configuration. Credentials for the upstream come from the environment, the\n' +
        'profile or the role, as in the AWS CLI. The endpoint has /health and /metrics.\n' +
        '\nExamples:\n' +
        '  isotherm proxy --config isotherm.yaml --check\n' +
        '  isotherm proxy --config isotherm.yaml\n' +
        '  isotherm proxy --config isotherm.yaml --upstream http://127.0.0.1:8000 --port 8010\n' +
        '  isotherm proxy --print-schema > isotherm.schema.json\n' +
        '  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8010\n' +
        '\nA configuration:\n' +
        '  region: eu-central-1\n' +
        '  tables:\n' +
        '    audit_log: { partitionKey: file_path, sortKey: accessed_at, suffix: random, shards: dynamic }\n',
    )
    .action((flags: ProxyFlags) => run(flags, terminal))
  // The schema is JSON in any case.
  new OptionRules(command).allows('--print-schema', ['--json'])
  return command
}

async function run(flags: ProxyFlags, terminal: Terminal): Promise<void> {
  const { configJsonSchema, configuredProxy, failureText, PooledConnections, readConfig } = await import(
    '@isotherm/proxy'
  )
  const { otherEngine } = await import('@isotherm/proxy/upstream')
  const { out, err } = terminal
  if (flags.printSchema) return writeLine(out, JSON.stringify(configJsonSchema(), null, 2))
  if (flags.config === undefined) {
    throw new CommandError('--config is missing; it must name a file with the tables, such as isotherm.yaml.')
  }
  const read = readConfig(flags.config)
  const { config } = read
  const callers =
    config.callers && readCredentialsFile(config.callers.credentialsFile, 'callers.credentialsFile')
  const upstream = flags.upstream ?? (config.upstream === undefined ? undefined : new URL(config.upstream))
  const profile = flags.profile ?? config.profile
  const { upstreamConnections } = config
  const client = connectTo(upstream, flags.region ?? config.region, {
    ...(profile === undefined ? {} : { profile }),
    requestHandler: new PooledConnections(
      upstreamConnections === undefined ? {} : { connections: upstreamConnections },
    ),
  })
  const known = {
    ...read,
    config: {
      ...config,
      port: flags.port ?? config.port,
      host: flags.host ?? config.host,
    },
  }
  if (flags.console && callers !== undefined) {
    throw new CommandError(
      '--console cannot be used with callers in the configuration, because a browser cannot sign its requests. Use isotherm console.',
    )
  }
  // It may be named in the environment.
  const engine = upstream ?? (flags.check ? undefined : await otherEngine(client))
  if (!flags.check) await requireRegion(client, engine?.origin ?? 'Amazon DynamoDB')
  const tables = Object.keys(read.tables)
  const name = `isotherm proxy, process ${process.pid}`
  const console =
    flags.console && !flags.check ? await proxyConsole({ client, upstream: engine, tables, name }) : undefined
  const signal = interruption()
  const { onEvent, onFailure, end } = reporting(flags, terminal, failureText)
  const proxy = await configuredProxy(known, {
    client,
    isCheck: flags.check,
    ...(callers === undefined ? {} : { callers }),
    ...(console === undefined ? {} : { site: console.site }),
    onFailure,
    onEvent: (event) => {
      onEvent(event)
      const shown = scaledEvent(event, name)
      if (shown !== undefined) console?.site.event(shown)
    },
  })
  console?.show(proxy.db)
  try {
    if (flags.check) {
      const text = `The configuration ${flags.config} is valid. Tables: ${tables.join(', ') || 'none'}.`
      return writeLine(out, flags.json ? JSON.stringify({ config: flags.config, tables }) : printable(text))
    }
    const upstreamText = engine?.href ?? 'Amazon DynamoDB'
    const text = `DynamoDB endpoint ${proxy.url} in front of ${upstreamText}; sharded: ${tables.join(', ') || 'no table'}. Ctrl-C ends it.`
    writeLine(
      out,
      flags.json ? JSON.stringify({ url: proxy.url, upstream: upstreamText, tables }) : printable(text),
    )
    const { host } = known.config
    if (callers === undefined && host !== undefined && !isLoopbackAddress(host)) {
      writeLine(
        err,
        printable(
          `isotherm: The host ${host} lets other machines in, and without callers in the configuration anyone who reaches this one has the permissions of the proxy. Add callers, or bind to 127.0.0.1.`,
        ),
      )
    }
    if (console !== undefined && !flags.json) writeLine(out, `Console: ${proxy.url}${CONSOLE_PATH}`)
    await untilInterrupted(signal)
  } finally {
    await proxy.stop()
    end()
    console?.close()
  }
}

/** Without it the proxy would start, and refuse every request. */
async function requireRegion(client: DynamoDBClient, upstream: string): Promise<void> {
  try {
    await client.config.region()
  } catch (error) {
    if (!isWithoutRegion(error)) return
    throw new CommandError(
      `The region of ${upstream} is missing. Name it with --region, as region in the configuration, or in AWS_REGION.`,
    )
  }
}

/** The events that an operator acts on. Throttles alone are in the metrics, because there may be thousands a second. */
const SHOWN: ReadonlySet<IsothermEvent['type']> = new Set([
  'scaled',
  'failed',
  'hot-item',
  'table-full',
  'shard-limit-reached',
  'table-throttled',
  'capacity-raised',
  'shard-map-unavailable',
  'shard-map-available',
])

/** @param textOf the sentence of an error */
function reporting({ json }: ProxyFlags, { out, err }: Terminal, textOf: (error: unknown) => string) {
  const failures = new RepeatedFailures(calendarClock(), ({ operation, message }, more) => {
    if (json) {
      writeLine(out, JSON.stringify({ failure: message, operation, ...(more > 0 ? { more } : {}) }))
      return
    }
    const others = more > 0 ? ` (and ${grouped(more)} more like it)` : ''
    writeLine(err, printable(`${operation ?? 'A request'} failed${others}: ${message}`))
  })
  return {
    onEvent: (event: IsothermEvent) => {
      if (!SHOWN.has(event.type)) return
      const message = 'error' in event ? textOf(event.error) : undefined
      if (json) writeLine(out, eventJson(event, message))
      else writeLine(err, printable(eventText(event, message)))
    },
    onFailure: (error: unknown, operation: string | undefined) => {
      const message = error instanceof Error ? `${error.name}: ${textOf(error)}` : String(error)
      failures.add({ operation, message })
    },
    end: () => failures.end(),
  }
}

/** Without logical keys and sort keys, which may be personal data. */
function eventJson(event: IsothermEvent, error: string | undefined): string {
  const {
    logicalKey: _,
    sortKey: __,
    ...members
  } = event as IsothermEvent & {
    readonly logicalKey?: unknown
    readonly sortKey?: unknown
  }
  return JSON.stringify({ ...members, error })
}

function eventText(event: IsothermEvent, message: string | undefined): string {
  const table = `${event.table}: ${event.type}`
  if (event.type === 'scaled') return `${table} from ${event.from} to ${event.to} shards`
  return message === undefined ? table : `${table}: ${message}`
}
