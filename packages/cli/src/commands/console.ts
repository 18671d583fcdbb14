import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { askConsole, CONSOLE_PATH, consoleSite } from '@isotherm/console'
import { cloudWatchClientOf, otherEngine } from '@isotherm/proxy/upstream'
import { Command } from 'commander'
import { calendarClock } from '../calendar-clock.js'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { connectTo } from '../endpoint-client.js'
import { httpUrl, region, wholeNumber } from '../flags.js'
import { interruption, untilInterrupted } from '../interruption.js'
import { tableOfArn } from '../table-of-arn.js'
import { printable, type Terminal, writeLine } from '../terminal.js'

interface ConsoleFlags {
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly port: number
  readonly table: readonly string[]
  readonly allowWrites?: boolean
  readonly json?: boolean
}

const DEFAULT_PORT = 8020
/** An engine of one's own may be stopped and started while it is looked at. */
const ENGINE_CHECK_SECONDS = 5
/** An endpoint that serves a console answers at once. */
const OWN_CONSOLE_MILLISECONDS = 1_000

/** `isotherm console`: the console for an endpoint that is not `isotherm local`. */
export function consoleCommand(terminal: Terminal): Command {
  return new Command('console')
    .option('--endpoint <url>', 'the endpoint of an engine other than Amazon DynamoDB', httpUrl('--endpoint'))
    .option('--region <name>', "the tables' region; the SDK's own by default", region('--region'))
    .option('--profile <name>', 'of the AWS configuration')
    .option(
      '--port <number>',
      'port to listen on, on loopback; 0 takes any free one',
      wholeNumber('--port', 0, 65_535),
      DEFAULT_PORT,
    )
    .option(
      '--table <name>',
      'show this table only; may be repeated',
      (name: string, names: readonly string[]) => [...names, name],
      [],
    )
    .option('--allow-writes', 'let the page change and delete items and tables; without it, it only reads')
    .option('--json', 'print one line of JSON instead of the text')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nThe figures come from CloudWatch, which is asked once a minute while a page is open. A table costs about 0.01 USD an hour.\n' +
        'Keys are shown where Contributor Insights is on. An isotherm local endpoint has a console of its own.\n' +
        '\nExamples:\n' +
        '  isotherm console --region eu-central-1\n' +
        '  isotherm console --profile production --table orders --table customers\n' +
        '  isotherm console --endpoint http://127.0.0.1:8000 --allow-writes\n',
    )
    .action((flags: ConsoleFlags) => run(flags, terminal))
}

async function run(flags: ConsoleFlags, terminal: Terminal): Promise<void> {
  const { endpoint, region, profile } = flags
  const client = connectTo(endpoint, region, profile === undefined ? {} : { profile })
  // It may be named in the environment.
  const engine = endpoint ?? (await otherEngine(client))
  const own = engine === undefined ? undefined : await ownConsole(engine)
  if (own !== undefined) {
    client.destroy()
    const text = `${engine?.origin} serves a console itself, with partitions and seconds: ${own}`
    return writeLine(terminal.out, flags.json ? JSON.stringify({ console: own }) : printable(text))
  }
  await serve(client, engine, flags, terminal)
}

/** The address of the console of an `isotherm local` or `isotherm proxy` endpoint. */
async function ownConsole(endpoint: URL): Promise<string | undefined> {
  try {
    const { version } = await askConsole(
      endpoint.href,
      'tables',
      {},
      AbortSignal.timeout(OWN_CONSOLE_MILLISECONDS),
    )
    return version === 1 ? new URL(CONSOLE_PATH, endpoint).href : undefined
  } catch {
    return undefined
  }
}

async function serve(
  client: DynamoDBClient,
  engine: URL | undefined,
  { port, table, allowWrites = false, json }: ConsoleFlags,
  { out }: Terminal,
): Promise<void> {
  const { apiGuard, remoteFailure, remoteSource } = await import('@isotherm/console/remote')
  const { startProxy } = await import('@isotherm/proxy')
  const signal = interruption()
  const shown = engine?.origin ?? 'Amazon DynamoDB'
  const region = await client.config.region().catch((error: unknown) => {
    throw new CommandError(remoteFailure(shown, error).message, EXIT_FAILED)
  })
  if (table.length === 0) {
    await client
      .send(new ListTablesCommand({ Limit: 1 }), { abortSignal: signal })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        throw new CommandError(remoteFailure(`dynamodb:ListTables at ${shown}`, error).message, EXIT_FAILED)
      })
  }
  const tables = await Promise.all(table.map((each) => tableOfArn(client, each, signal)))
  const cloudWatch = await cloudWatchClientOf(client)
  const place = engine?.origin ?? `Amazon DynamoDB in ${region}`
  const clock = calendarClock()
  const site = consoleSite({
    source: remoteSource({
      client,
      cloudWatch,
      clock,
      region,
      endpoint: place,
      allowsWrites: allowWrites,
      ...(engine === undefined ? {} : { checkSeconds: ENGINE_CHECK_SECONDS }),
      ...(tables.length === 0 ? {} : { tables }),
    }),
  })
  const proxy = await startProxy({ client, port, tables: {}, site, guard: apiGuard(allowWrites) })
  try {
    const address = `${proxy.url}${CONSOLE_PATH}`
    const mode = allowWrites ? 'it can change items and tables' : 'it only reads'
    const text = `Console of ${place}: ${address}, ${mode}. Ctrl-C ends it.`
    writeLine(out, json ? JSON.stringify({ console: address, endpoint: place }) : printable(text))
    await untilInterrupted(signal)
  } finally {
    await proxy.stop()
    cloudWatch.destroy()
  }
}
