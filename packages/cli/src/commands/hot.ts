import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type HotReport, type InsightRules, insightReport, insightRules } from '@isotherm/console/remote'
import { cloudWatchClientOf } from '@isotherm/proxy/upstream'
import type { Clock } from '@isotherm/runtime'
import { Command } from 'commander'
import { calendarClock } from '../calendar-clock.js'
import { CommandError, EXIT_FAILED, EXIT_OK } from '../command-error.js'
import { isOutage } from '../data-files/patience.js'
import { connectTo } from '../endpoint-client.js'
import { endpointFailure } from '../endpoint-failure.js'
import { httpUrl, region, wholeNumber } from '../flags.js'
import {
  type InsightsBefore,
  insightsBefore,
  isRefusal,
  rulesOnceOn,
  turnBack,
  turnOn,
} from '../hot/contributor-insights.js'
import { sampleReport } from '../hot/sample-report.js'
import { Interrupted, interruption } from '../interruption.js'
import { OptionRules } from '../option-rules.js'
import { hotText } from '../presentation/hot-text.js'
import { LiveScreen } from '../presentation/live-screen.js'
import { tableOfArn } from '../table-of-arn.js'
import { printable, type Terminal, writeLine } from '../terminal.js'

interface HotFlags {
  readonly table: string
  readonly index?: string
  readonly top: number
  readonly sample?: number
  readonly enable?: boolean
  readonly for: number
  readonly watch?: boolean
  readonly every: number
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly json?: boolean
}

/** `isotherm hot`: the hottest keys of a table, now. */
export function hotCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('hot')
    .requiredOption('--table <name>', 'the table')
    .option('--index <name>', 'a global index of it')
    .option('--top <keys>', 'how many keys', wholeNumber('--top', 1, 25), 10)
    .option(
      '--sample <items>',
      'sample items instead: where the data is, without Contributor Insights',
      wholeNumber('--sample', 1, 100_000),
    )
    .option('--enable', 'turn Contributor Insights on if it is off, and off again at the end')
    .option(
      '--for <seconds>',
      'with --enable, and without --watch: how long to count first',
      wholeNumber('--for', 1, 86_400),
      180,
    )
    .option('--watch', 'keep the display up to date until Ctrl-C')
    .option('--every <seconds>', 'with --watch: how often', wholeNumber('--every', 1, 3_600), 10)
    .option('--endpoint <url>', 'the endpoint of an engine other than Amazon DynamoDB', httpUrl('--endpoint'))
    .option('--region <name>', "the table's region; the SDK's own by default", region('--region'))
    .option('--profile <name>', 'of the AWS configuration')
    .option('--json', 'print one line of JSON for each look instead of the table')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nContributor Insights counts each request, costs by the event, and shows key values in CloudWatch.\n' +
        '\nExamples:\n' +
        '  isotherm hot --table orders\n' +
        '  isotherm hot --table orders --watch --every 5 --endpoint http://127.0.0.1:8000\n' +
        '  isotherm hot --table orders --index by_status --enable --for 300\n' +
        '  isotherm hot --table orders --sample 5000\n',
    )
    .action(async (flags: HotFlags) => exit(await hot(flags, terminal)))
  new OptionRules(command)
    .needs(['--for'], ['--enable'])
    .needs(['--every'], ['--watch'])
    // A watch shows the counts from the beginning on.
    .excludes(['--for'], ['--watch'])
  return command
}

async function hot(given: HotFlags, terminal: Terminal): Promise<number> {
  const client = connectTo(
    given.endpoint,
    given.region,
    given.profile === undefined ? {} : { profile: given.profile },
  )
  const signal = interruption()
  try {
    const flags = { ...given, table: await tableOfArn(client, given.table, signal) }
    if (flags.sample !== undefined) return await sampled(client, flags, flags.sample, signal, terminal)
    return await counted(client, flags, signal, terminal)
  } catch (error) {
    if (signal.aborted && !(error instanceof CommandError)) throw new Interrupted('Ended.')
    throw told(error, given.table)
  } finally {
    client.destroy()
  }
}

async function sampled(
  client: DynamoDBClient,
  flags: HotFlags,
  items: number,
  signal: AbortSignal,
  { out, err }: Terminal,
): Promise<number> {
  if (flags.watch || flags.enable) {
    throw new CommandError(
      `--sample cannot be used with --${flags.watch ? 'watch' : 'enable'}, which is for traffic.`,
    )
  }
  const report = await sampleReport(client, { ...targetOf(flags), items, top: flags.top, signal, err })
  writeLine(out, flags.json ? JSON.stringify(report) : hotText(report))
  return EXIT_OK
}

async function counted(
  client: DynamoDBClient,
  flags: HotFlags,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<number> {
  const clock = calendarClock()
  const target = targetOf(flags)
  const known = await insightRules(client, target, signal)
  if (known === undefined && flags.enable !== true) {
    throw new CommandError(
      `Contributor Insights is off for ${flags.table}; use --enable to turn it on meanwhile, or --sample 5000 to see where the items are.`,
      EXIT_FAILED,
    )
  }
  const cloudWatch = await cloudWatchClientOf(client)
  const shown = async (counting: Counting) => {
    if (flags.watch) return watch(cloudWatch, flags, counting, clock, signal, terminal)
    const report = await insightReport(cloudWatch, {
      ...target,
      ...counting,
      top: flags.top,
      now: clock.now(),
      signal,
    })
    writeLine(terminal.out, flags.json ? JSON.stringify(report) : hotText(report))
    return EXIT_OK
  }
  try {
    if (known !== undefined) return await shown({ rules: known })
    const before = await insightsBefore(client, target, signal)
    await turnOn(client, target, signal).catch(async (error: unknown) => {
      // A request whose answer was lost may have turned it on.
      if (!isRefusal(error)) await ended(client, flags, before, terminal)
      throw error
    })
    try {
      const rules = await rulesOnceOn(client, target, clock, signal)
      const since = clock.now()
      if (flags.watch !== true) await count(flags, clock, signal, terminal)
      return await shown({ rules, since })
    } finally {
      await ended(client, flags, before, terminal)
    }
  } finally {
    cloudWatch.destroy()
  }
}

/** What is counted, and since when, if it was off before. */
interface Counting {
  readonly rules: InsightRules
  readonly since?: number
}

/** It costs by the event, so an error says that it is still on, also after Ctrl-C. */
async function ended(
  client: DynamoDBClient,
  flags: HotFlags,
  before: InsightsBefore,
  { err }: Terminal,
): Promise<void> {
  const subject = `Contributor Insights of ${flags.table}`
  await turnBack(client, targetOf(flags), before).catch((error: unknown) => {
    throw endpointFailure(`${subject} still counts all keys, because it could not be turned back`, error)
  })
  const now = before === 'off' ? 'is off again' : 'counts throttled keys only again'
  writeLine(err, `isotherm: ${subject} ${now}`)
}

async function count(
  { table, for: seconds }: HotFlags,
  clock: Clock,
  signal: AbortSignal,
  { err }: Terminal,
): Promise<void> {
  writeLine(
    err,
    `isotherm: Contributor Insights of ${table} is on and counts for ${seconds} s; Ctrl-C ends it and turns it off`,
  )
  await clock.sleep(seconds * 1_000, signal)
}

/** Redraws in place on a terminal; elsewhere it prints one report after the other. */
async function watch(
  cloudWatch: CloudWatchClient,
  flags: HotFlags,
  counting: Counting,
  clock: Clock,
  signal: AbortSignal,
  { out, err, display }: Terminal,
): Promise<number> {
  const screen = display === undefined || flags.json ? undefined : new LiveScreen(display)
  let report: HotReport | undefined
  try {
    while (!signal.aborted) {
      try {
        report = await insightReport(cloudWatch, {
          ...targetOf(flags),
          ...counting,
          top: flags.top,
          now: clock.now(),
          signal,
        })
        if (screen === undefined) writeLine(out, flags.json ? JSON.stringify(report) : hotText(report))
        else screen.show(`Every ${flags.every} s; Ctrl-C ends it.\n\n${hotText(report)}`)
      } catch (error) {
        // At the first look it is more likely that the endpoint is wrong.
        if (report === undefined || signal.aborted || !isOutage(error)) throw error
        const { message } = endpointFailure('The figures cannot be read now', error)
        const note = `${message} The next look is in ${flags.every} s.`
        if (screen === undefined) writeLine(err, `isotherm: ${printable(note)}`)
        else screen.show(`${printable(note)}\n\n${hotText(report)}`)
      }
      await clock.sleep(flags.every * 1_000, signal)
    }
  } catch (error) {
    // The end of a watch is no failure.
    if (!signal.aborted) throw error
  } finally {
    screen?.close()
  }
  // The last figures stay on the screen.
  if (screen !== undefined && report !== undefined) writeLine(out, hotText(report))
  return EXIT_OK
}

function targetOf({ table, index }: HotFlags) {
  return { table, ...(index === undefined ? {} : { index }) }
}

/** An error that the user can fix, as one sentence. */
function told(error: unknown, table: string): unknown {
  if (!(error instanceof Error) || error instanceof CommandError) return error
  return endpointFailure(table, error)
}
