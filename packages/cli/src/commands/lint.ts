import { resolve } from 'node:path'
import {
  AdvisorError,
  type Finding,
  ItemSample,
  knownRule,
  LEVELS,
  type Level,
  type LintSettings,
  lintTable,
  NO_SETTINGS,
  parseItems,
  parseLintSettings,
  RULES,
  sarifLog,
  type TableDefinition,
  tablesIn,
} from '@isotherm/advisor'
import { Command } from 'commander'
import { CommandError, EXIT_FAILED, EXIT_OK } from '../command-error.js'
import { httpUrl, oneOf, region, wholeNumber } from '../flags.js'
import { includedFiles } from '../included-files.js'
import { interruption } from '../interruption.js'
import { noTables } from '../no-tables.js'
import { OptionRules } from '../option-rules.js'
import { lintText, ruleText } from '../presentation/lint-text.js'
import { readText } from '../read-text.js'
import { templateFiles } from '../template-files.js'
import { printable, type Terminal, writeLine } from '../terminal.js'
import { version } from '../version.js'

interface LintFlags {
  readonly table?: string
  readonly items: readonly string[]
  readonly sample: number
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly config?: string
  readonly ignore: readonly string[]
  readonly failOn: Level | 'never'
  readonly format: Format
  readonly json?: boolean
  readonly code?: boolean
  readonly explain?: string
  readonly rules?: boolean
}

const FORMATS = ['text', 'json', 'sarif'] as const
type Format = (typeof FORMATS)[number]

const MAX_SAMPLE = 100_000
const collected = (value: string, before: readonly string[]) => [...before, value]

/** `isotherm lint`: problems of table definitions. */
export function lintCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('lint')
    .argument('[files...]', 'templates, requests, plans, or folders of them; - for standard input')
    .option('--table <name>', 'check a table of an endpoint or of Amazon DynamoDB')
    .option(
      '--items <file>',
      'items of the table as JSON Lines, or TABLE=FILE; repeat it for more tables',
      collected,
      [],
    )
    .option(
      '--sample <items>',
      'with --table: how many items to sample',
      wholeNumber('--sample', 0, MAX_SAMPLE),
      1_000,
    )
    .option('--ignore <rule>', 'a rule that is not checked; repeat it for more', collected, [])
    .option('--config <file>', 'settings as JSON or YAML: ignore, levels, tables')
    .option(
      '--fail-on <level>',
      'exit with 1 for findings of this level or worse: error, warning, note or never',
      oneOf('--fail-on', [...LEVELS, 'never'] as const),
      'warning',
    )
    .option('--format <format>', 'text, json or sarif', oneOf('--format', FORMATS), 'text')
    .option('--json', 'the same as --format json')
    .option('--code', 'print the code of each cure')
    .option('--rules', 'list the rules')
    .option('--explain <rule>', 'print what a rule is about')
    .option('--endpoint <url>', 'the endpoint of an engine other than Amazon DynamoDB', httpUrl('--endpoint'))
    .option('--region <name>', "the table's region; the SDK's own by default", region('--region'))
    .option('--profile <name>', 'of the AWS configuration')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nIt reads CreateTable and DescribeTable as JSON, CloudFormation and SAM templates, templates that CDK has\n' +
        'synthesised, Serverless Framework files with those they include, and Terraform plans (terraform show -json).\n' +
        'Comments such as "# isotherm-ignore RULE" ignore a rule for one table.\n' +
        '\nExits with 0 without findings, with 1 with findings at or above --fail-on or when a file of a folder cannot be\n' +
        'read, with 2 for wrong usage.\n' +
        '\nExamples:\n' +
        '  isotherm lint template.yaml\n' +
        '  isotherm lint cdk.out --fail-on error\n' +
        '  isotherm lint create-table.json --items items.jsonl --code\n' +
        '  isotherm lint plan.json --format sarif > findings.sarif\n' +
        '  isotherm lint --table orders --endpoint http://127.0.0.1:8000\n' +
        '  isotherm lint --explain low-cardinality-index-key\n',
    )
    .action(async (files: readonly string[], flags: LintFlags) => {
      try {
        exit(await lint(files, flags, terminal))
      } catch (error) {
        throw error instanceof AdvisorError
          ? new CommandError(error.message, undefined, { cause: error })
          : error
      }
    })
  new OptionRules(command)
    .allows('--rules', ['--format', '--json'])
    .allows('--explain', ['--format', '--json'])
    .excludes(['--format sarif'], ['--rules', '--explain'])
    .needs(['--sample', '--endpoint', '--region', '--profile'], ['--table'])
    .excludes(['--sample'], ['--items'])
    .excludes(['--json'], ['--format text', '--format sarif'])
    .excludes(['--code'], ['--json', '--format json', '--format sarif'])
  return command
}

async function lint(files: readonly string[], flags: LintFlags, terminal: Terminal): Promise<number> {
  if (flags.rules || flags.explain !== undefined) {
    const [file] = files
    if (file === undefined) return explained(flags, terminal)
    const option = flags.rules ? '--rules' : '--explain'
    throw new CommandError(
      `${file} has no effect with ${option}, which reads no files. Leave out one of them.`,
    )
  }
  const settings = settingsOf(flags)
  const { examined, unread } =
    flags.table === undefined ? fromFiles(files, flags, terminal) : await fromService(files, flags, terminal)
  const results = examined.map(({ table, sample }) => lintTable(table, sample, settings))
  const findings = results.flatMap((result) => result.findings)
  const ignored = results.reduce((sum, result) => sum + result.ignored, 0)
  const tables = examined.map(({ table }) => table)
  writeLine(terminal.out, output(findings, tables, ignored, flags))
  if (unread > 0) throw unreadFiles(unread)
  return isFailure(findings, flags.failOn) ? EXIT_FAILED : EXIT_OK
}

interface Sampled {
  readonly table: TableDefinition
  readonly sample?: ItemSample
}

interface Examined {
  readonly examined: readonly Sampled[]
  /** How many files of folders could not be read. */
  readonly unread: number
}

function fromFiles(files: readonly string[], flags: LintFlags, { err }: Terminal): Examined {
  if (files.length === 0) {
    throw new CommandError("lint needs files, folders or --table; see 'isotherm lint --help'.")
  }
  const found = [...templateFiles(files)]
  const seen = new Set(found.map(({ path }) => resolve(path)))
  const tables: TableDefinition[] = []
  let unread = 0
  // Files that a file includes are added behind it.
  for (const { path, isNamed } of found) {
    try {
      const text = readText(path)
      tables.push(...tablesIn(text, path === '-' ? 'standard input' : path))
      for (const included of includedFiles(text, path)) {
        if (!seen.has(resolve(included))) found.push({ path: included, isNamed: false })
        seen.add(resolve(included))
      }
    } catch (error) {
      const isUnread = error instanceof CommandError
      if (isNamed || !(isUnread || error instanceof AdvisorError)) throw error
      if (isUnread) unread++
      writeLine(err, `isotherm: skipped: ${printable(error.message)}`)
    }
  }
  if (tables.length === 0) throw unread === 0 ? noTables(files) : unreadFiles(unread)
  return { examined: withItems(tables, flags.items), unread }
}

/** Not a matter of --fail-on: what was not read may have any finding. */
function unreadFiles(unread: number): CommandError {
  const [files, their, them] = unread === 1 ? ['1 file', 'its', 'it'] : [`${unread} files`, 'their', 'them']
  return new CommandError(
    `${files} could not be read, so ${their} tables were not checked. Make ${them} readable, or name the other files.`,
    EXIT_FAILED,
  )
}

/** Adds the items of files to their tables. */
function withItems(tables: readonly TableDefinition[], given: readonly string[]): readonly Sampled[] {
  const samples = new Map<TableDefinition, ItemSample>()
  for (const text of given) {
    const [, name, file = text] = /^([\w.-]+)=(.+)$/.exec(text) ?? []
    const matching = tables.filter(
      (table) => name === undefined || table.name === name || table.place.resource === name,
    )
    const [table] = matching
    if (table === undefined || matching.length > 1) {
      const names = tables.map((each) => each.name).join(', ')
      throw new CommandError(
        `--items is '${text}', which belongs to ${matching.length} tables; write --items TABLE=FILE with one of ${names}.`,
      )
    }
    samples.set(table, new ItemSample(table, parseItems(readText(file))))
  }
  return tables.map((table) => {
    const sample = samples.get(table)
    return { table, ...(sample === undefined ? {} : { sample }) }
  })
}

async function fromService(
  files: readonly string[],
  flags: LintFlags,
  terminal: Terminal,
): Promise<Examined> {
  if (files.length > 0) throw new CommandError('lint takes files or --table, not both.')
  // Loaded on demand: files need no SDK.
  const { connectTo } = await import('../endpoint-client.js')
  const { liveTable } = await import('../live-table.js')
  const client = connectTo(
    flags.endpoint,
    flags.region,
    flags.profile === undefined ? {} : { profile: flags.profile },
  )
  const signal = interruption()
  try {
    const table = await liveTable(client, flags.table ?? '', signal)
    if (flags.items.length > 0) return { examined: withItems([table], flags.items), unread: 0 }
    if (flags.sample === 0) return { examined: [{ table }], unread: 0 }
    const { sampledItems } = await import('../sampled-items.js')
    // By the name that was given: that of another account is an ARN.
    const items = await sampledItems(client, flags.table ?? '', flags.sample, signal, terminal)
    return { examined: [{ table, sample: new ItemSample(table, items) }], unread: 0 }
  } finally {
    client.destroy()
  }
}

function settingsOf({ config, ignore }: LintFlags): LintSettings {
  const settings = config === undefined ? NO_SETTINGS : parseLintSettings(readText(config), config)
  const ignored = ignore.flatMap((rules) => rules.split(',')).map((rule) => knownRule(rule, '--ignore'))
  return { ...settings, ignore: [...settings.ignore, ...ignored] }
}

function output(
  findings: readonly Finding[],
  tables: readonly TableDefinition[],
  ignored: number,
  { format, json, code = false }: LintFlags,
): string {
  if (format === 'sarif') return JSON.stringify(sarifLog(findings, version))
  if (format === 'json' || json) {
    return JSON.stringify({
      tables: tables.map(({ name, place }) => ({ name, ...place })),
      findings,
      ignored,
    })
  }
  return lintText(findings, tables, ignored, code)
}

function isFailure(findings: readonly Finding[], failOn: LintFlags['failOn']): boolean {
  if (failOn === 'never') return false
  return findings.some(({ level }) => LEVELS.indexOf(level) <= LEVELS.indexOf(failOn))
}

function explained({ rules, explain, format, json }: LintFlags, { out }: Terminal): number {
  const shown =
    explain === undefined ? RULES : RULES.filter(({ id }) => id === knownRule(explain, '--explain'))
  if (format === 'json' || json) {
    writeLine(out, JSON.stringify(shown.map(({ check: _, ...rule }) => rule)))
  } else writeLine(out, rules && explain === undefined ? listOfRules() : shown.map(ruleText).join('\n\n'))
  return EXIT_OK
}

function listOfRules(): string {
  const width = Math.max(...RULES.map(({ id }) => id.length))
  return RULES.map(({ id, level, title }) => `${id.padEnd(width)}  ${level.padEnd(7)}  ${title}`).join('\n')
}
