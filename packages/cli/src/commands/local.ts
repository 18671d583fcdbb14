import { resolve } from 'node:path'
import { CONSOLE_PATH } from '@isotherm/console'
import {
  type CapacityParameters,
  createLocal,
  type Local,
  LocalError,
  type LocalOptions,
} from '@isotherm/local'
import { FastClock } from '@isotherm/runtime'
import { Command } from 'commander'
import { calendarClock } from '../calendar-clock.js'
import { CommandError } from '../command-error.js'
import { localWithConsole } from '../console/local-with-console.js'
import { readCredentialsFile } from '../credentials-file.js'
import { number, oneOf, region, wholeNumber } from '../flags.js'
import { causeOf, interruption, untilInterrupted } from '../interruption.js'
import { isLoopbackAddress } from '../loopback-address.js'
import { OptionRules } from '../option-rules.js'
import { printable, type Terminal, writeLine } from '../terminal.js'
import { verifyData } from '../verify-data.js'

interface LocalFlags {
  readonly port: number
  readonly host: string
  readonly allowHost: readonly string[]
  readonly credentials?: string
  readonly throttle: boolean
  readonly console: boolean
  readonly capacity: CapacityModel
  readonly data?: string
  readonly buckets?: string
  readonly verify?: string
  readonly salvage?: string
  readonly trace?: string
  readonly seedFrom?: string
  readonly region: string
  readonly speed: number
  readonly controlPlaneDelays: 'none' | 'real'
  readonly transactionMilliseconds: number
  readonly json?: boolean
}

/** At more than a thousand times real speed, handling one request would take seconds of the engine's clock. */
const MAX_SPEED = 1000
const MAX_TRANSACTION_MILLISECONDS = 60_000

type CapacityModel = CapacityParameters['model']

const MODELS: readonly CapacityModel[] = ['adaptive', 'classic']

/** `isotherm local`: the engine's HTTP endpoint alone. */
export function localCommand(terminal: Terminal): Command {
  const command = new Command('local')
    .option(
      '--port <number>',
      'port to listen on; 0 takes any free one',
      wholeNumber('--port', 0, 65_535),
      8_000,
    )
    .option('--host <address>', 'address to bind to', '127.0.0.1')
    .option(
      '--allow-host <name>',
      'a name that requests from other machines may use for this one; may be repeated',
      (name: string, names: readonly string[]) => [...names, name.toLowerCase()],
      [],
    )
    .option(
      '--data <directory>',
      'keep the data there; every answered write survives a crash and a power cut',
    )
    .option(
      '--buckets <directory>',
      'a directory that exists, whose folders stand for S3 buckets: tables are exported to them, and imported from them',
    )
    .option('--verify <directory>', 'check every row of a data directory instead of serving it')
    .option(
      '--salvage <directory>',
      'with --verify: write everything that is intact to this new data directory',
    )
    .option(
      '--trace <file>',
      'record all requests in a new file, for isotherm replay; it holds the data that clients send, and only you may read it',
    )
    .option(
      '--seed-from <path>',
      'create the tables of NAME.table.json files, and write the items of the files NAME.jsonl and NAME.csv beside them',
    )
    .option(
      '--credentials <file>',
      'accept only requests signed with a key of this file, such as ~/.aws/credentials; by default any are accepted',
    )
    .option(
      '--capacity <model>',
      'adaptive: a partition may use all provisioned throughput; classic: only its even share of it',
      oneOf('--capacity', MODELS),
      'adaptive' as const,
    )
    .option('--no-throttle', 'do not enforce capacity limits')
    .option('--no-console', 'do not record the heat of keys, and do not serve the console')
    .option(
      '--region <name>',
      'region of requests whose signature names none, and of the tables of --seed-from',
      region('--region'),
      'us-east-1',
    )
    .option(
      '--speed <factor>',
      "how fast the engine's time passes: at 60, capacity, time to live and streams live a minute a second",
      number('--speed', 0.001, MAX_SPEED),
      1,
    )
    .option(
      '--control-plane-delays <none|real>',
      'whether creating, changing and deleting tables and indexes takes as long as on the service',
      oneOf('--control-plane-delays', ['none', 'real']),
      'none',
    )
    .option(
      '--transaction-milliseconds <number>',
      "how long, of the engine's time, a transaction holds its items at least; at 0 nothing conflicts",
      number('--transaction-milliseconds', 0, MAX_TRANSACTION_MILLISECONDS),
      1,
    )
    .option('--json', 'print a line of JSON instead: the addresses, and the tables of --seed-from')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm local --port 8000\n' +
        '  isotherm local --data ./dynamodb  data that is there again next time\n' +
        '  isotherm local --buckets ./buckets   ExportTableToPointInTime and ImportTable\n' +
        '  isotherm local --verify ./dynamodb   whether that data is intact\n' +
        '  isotherm local --seed-from ./fixtures   tables and items at the start\n' +
        '  isotherm local --trace today.jsonl  requests to run again with isotherm replay\n' +
        '  isotherm local --no-throttle      a fast local DynamoDB without limits\n' +
        '  isotherm local --speed 60 --control-plane-delays real   a day of the service in 24 minutes\n' +
        '  aws dynamodb list-tables --region us-east-1 --endpoint-url http://127.0.0.1:8000\n',
    )
    .action((flags: LocalFlags) => run(flags, terminal))
  new OptionRules(command).allows('--verify', ['--salvage', '--json'])
  return command
}

async function run(flags: LocalFlags, terminal: Terminal): Promise<void> {
  const { verify, salvage, json = false } = flags
  if (verify !== undefined) return verifyData(verify, { target: salvage, json }, terminal)
  if (salvage !== undefined) {
    throw new CommandError(
      '--salvage needs --verify with the damaged data directory, such as --verify ./dynamodb --salvage ./saved.',
    )
  }
  return serve(flags, terminal)
}

async function serve(flags: LocalFlags, terminal: Terminal): Promise<void> {
  const { port, host, allowHost, data, buckets, trace, speed, throttle, capacity: model } = flags
  const credentials =
    flags.credentials === undefined ? {} : { credentials: readCredentialsFile(flags.credentials) }
  const signal = interruption()
  const options: LocalOptions = {
    throttle,
    capacity: { model },
    region: flags.region,
    clock: speed === 1 ? calendarClock() : new FastClock(speed),
    controlPlaneDelays: flags.controlPlaneDelays,
    transactionMilliseconds: flags.transactionMilliseconds,
    onBug: reporter(terminal),
    ...(data === undefined ? {} : { data }),
    ...(buckets === undefined ? {} : { buckets }),
    ...(trace === undefined ? {} : { trace }),
  }
  // A browser cannot sign its requests, so an endpoint that requires signatures has no console.
  const hasConsole = flags.console && flags.credentials === undefined
  const { local, site } = hasConsole
    ? localWithConsole(options)
    : { local: createLocal(options), site: undefined }
  try {
    // Before the endpoint answers: scripts wait for it, and then use the tables.
    const tables =
      flags.seedFrom === undefined ? [] : await seeded(local, flags.seedFrom, flags.region, signal)
    const { url } = await local.listen({
      port,
      host,
      allowedHosts: allowHost,
      ...credentials,
      ...(site === undefined ? {} : { site }),
    })
    const consoleUrl = hasConsole ? `${url}${CONSOLE_PATH}` : undefined
    const served = { url, console: consoleUrl, region: flags.region, tables }
    if (flags.json) writeLine(terminal.out, JSON.stringify(served))
    else for (const line of servedLines(flags, served)) writeLine(terminal.out, line)
    if (flags.credentials === undefined && !isLoopbackAddress(host)) {
      writeLine(
        terminal.err,
        printable(
          `isotherm: --host ${host} lets other machines in, and without --credentials anyone who reaches this one can read, change and delete all data. Add --credentials FILE, or bind to 127.0.0.1.`,
        ),
      )
    }
    await untilInterrupted(signal)
  } finally {
    await local.close()
  }
}

/** What the command prints when the endpoint is there. */
interface Served {
  readonly url: string
  readonly console: string | undefined
  readonly region: string
  /** The tables that were filled. */
  readonly tables: readonly { readonly table: string; readonly items: number }[]
}

function servedLines({ throttle, data, speed }: LocalFlags, served: Served): readonly string[] {
  const { url, region, tables } = served
  const limits = throttle ? 'partitions throttle' : 'no limits are enforced'
  const place = data === undefined ? 'in memory' : `in ${printable(resolve(data))}`
  const pace = speed === 1 ? '' : `, time passes ${speed} times as fast`
  return [
    ...tables.map(({ table, items }) => printable(`Table ${table}: ${items} items.`)),
    `DynamoDB endpoint ${url}: data ${place}, ${limits}${pace}. Ctrl-C ends it.`,
    `Try it: aws dynamodb list-tables --endpoint-url ${url} --region ${region}`,
    ...(served.console === undefined ? [] : [`Console: ${served.console}`]),
  ]
}

/** Loaded where it is used: it loads the SDK. */
async function seeded(
  local: Local,
  path: string,
  region: string,
  signal: AbortSignal,
): Promise<Served['tables']> {
  const { seed } = await import('../data-files/seed.js')
  return seed(local.client({ region }), path, signal).catch((error: unknown) => {
    throw causeOf(error, signal)
  })
}

/** An error such as a full disk is reported once, in one sentence. Any other error is a bug, and is reported with its stack. */
function reporter({ err }: Terminal): (error: unknown) => void {
  const told = new Set<string>()
  return (error) => {
    if (!(error instanceof LocalError)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return process.emitWarning(text, 'IsothermLocalBug')
    }
    if (told.has(error.code)) return
    told.add(error.code)
    writeLine(err, `isotherm: ${printable(error.message)}`)
  }
}
