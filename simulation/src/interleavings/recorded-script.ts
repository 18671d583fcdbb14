import { ONE_COPY, type Settings } from '../runs/settings.js'
import type { WorkloadTable } from '../world/workload-table.js'
import { ALWAYS } from './always.js'
import { commandText } from './command-text.js'
import { namedIn } from './named-in.js'
import { pathText } from './paths.js'
import {
  BEFORE,
  type RecordedAction,
  type RecordedAttempt,
  type RecordedStep,
  type Recording,
} from './recording.js'
import { plainLine, type ScriptLine } from './script-lines.js'

/** A run that was written down, and what it was made from. */
export interface RecordedRun {
  readonly recording: Recording
  readonly settings: Settings
  readonly tables: readonly WorkloadTable[]
}

/** How true to the run a script is: with the time of each request, or with those alone that were late. */
export type Timing = 'exact' | 'even'

/** The run as a script. Rules that are not about single requests and items, such as those of load, are not in it. */
export function recordedScript(run: RecordedRun, timing: Timing): readonly ScriptLine[] {
  const { recording, settings, tables } = run
  const byName = new Map(tables.map((table) => [table.name, table]))
  const delay = timing === 'exact' ? 0 : settings.faults.delayMilliseconds
  return [
    ...tables.map((table) => plainLine(tableText(table, settings))),
    plainLine(settingsText(settings, delay)),
    ...alwaysOf(run).map((rule) => plainLine(`always: ${rule}`)),
    ...recording.steps.map((step) => ({
      text: isBefore(step) ? stepText(step, byName) : `${timeText(step.at)} ${stepText(step, byName)}`,
      rules: step.action.kind === 'plain' ? [] : rulesOf(step, timing, delay),
    })),
  ]
}

/** Whether it was stored before the load began. */
function isBefore({ process, action }: RecordedStep): boolean {
  return process === BEFORE && action.kind === 'plain'
}

/** The rules that hold in such a run, as far as scripts have words for them. */
function alwaysOf({ recording, settings: { workload, maxAttempts } }: RecordedRun): readonly string[] {
  const hasTokens = recording.steps.some(
    ({ action }) => action.kind === 'command' && 'ClientRequestToken' in action.input,
  )
  return [
    ...(ONE_COPY.includes(workload) ? [ALWAYS.oneCopy] : []),
    ALWAYS.shardMap,
    // What is sent again may be done twice, unless it has a token, and then only once.
    ...(maxAttempts === 1 && !hasTokens ? [ALWAYS.items] : []),
    ALWAYS.appends,
    ALWAYS.ends,
  ]
}

function tableText(
  { name, partitionKey, sortKey, sortType, indexes }: WorkloadTable,
  { table, engine }: Settings,
): string {
  const [from, to] = table.jitterMilliseconds
  const options = [
    table.suffix,
    `key ${partitionKey}`,
    `sort ${sortKey} ${sortType === 'N' ? 'number' : 'string'}`,
    `cacheTtl ${table.cacheMilliseconds}ms`,
    `lateRequests ${table.lateMilliseconds}ms`,
    ...(table.adopt ? ['adopt'] : []),
    ...(table.suffix === 'random' && !table.transactions ? ['transactions off'] : []),
    ...(table.suffix === 'random' && table.readReplicas > 0 ? [`readReplicas ${table.readReplicas}`] : []),
    ...(table.isFixed
      ? [`fixed ${table.initialShards}`]
      : [
          `initial ${table.initialShards}`,
          `max ${table.maxShards}`,
          `cooldown ${table.cooldownMilliseconds}ms`,
          `jitter ${from}ms ${to}ms`,
          `policy ${table.policy === 'increment' ? 'incrementBy' : table.policy}`,
          `partitionUnitsPerSecond ${engine.partitionWriteUnits}`,
          `drainUnitsPerSecond ${table.drainUnitsPerSecond}`,
          `quiet ${table.quiet ? '1m' : 'off'}`,
          `shrink ${table.shrink}`,
        ]),
    ...indexes.map((index) =>
      [
        'index',
        index.name,
        index.partitionKey,
        ...(index.sortKey === undefined ? [] : [index.sortKey]),
        'at',
        index.shards,
      ].join(' '),
    ),
  ]
  return `table ${name}: ${options.join(', ')}`
}

function settingsText({ seed, faults, engine, index, table, maxAttempts }: Settings, delay: number): string {
  const stale =
    table.cacheMilliseconds * (1 + 2 * faults.drift) +
    engine.readLagMilliseconds +
    faults.latestMilliseconds +
    1_000
  const replicas = table.readReplicas > 0 ? index.lagMilliseconds : 0
  const settings = [
    `seed ${seed}`,
    `delay ${delay}ms`,
    `timeout ${faults.timeoutMilliseconds}ms`,
    `attempts ${maxAttempts}`,
    `latest ${faults.latestMilliseconds}ms`,
    `stale ${stale + replicas}ms`,
    `readLag ${engine.readLagMilliseconds}ms`,
    `indexLag ${index.lagMilliseconds}ms`,
    `indexQueue ${index.queueUnits}`,
    `transactionTime ${engine.transactionMilliseconds}ms`,
    `partitionWrites ${engine.partitionWriteUnits}`,
    `partitions ${engine.partitions}`,
    'optionalRules',
    ...(engine.throttles ? ['throttle'] : []),
    ...(engine.splits ? [`heat ${engine.heatSeconds}s`] : []),
  ]
  return `settings: ${settings.join(', ')}`
}

/** So that a step that followed an answer at once does not come before it. */
function timeText(milliseconds: number): string {
  return `${Number((Math.ceil(milliseconds * 1e6) / 1e9).toFixed(9))}s`
}

function stepText({ process, action }: RecordedStep, tables: ReadonlyMap<string, WorkloadTable>): string {
  switch (action.kind) {
    case 'spawn': {
      const { name, seed, rate, calendarOffset } = action.options
      const clock = [
        ...(rate === 1 ? [] : [`rate ${rate}`]),
        ...(calendarOffset === 0 ? [] : [`calendar ${calendarOffset}ms`]),
      ]
      return `process ${name}: ${[`seed ${seed}`, ...clock].join(', ')}`
    }
    case 'crash':
      return `${process}: crash`
    case 'pause':
    case 'jump':
      return `${process}: ${action.kind} ${action.milliseconds}ms`
    case 'command':
      return `${process}: ${commandText(action.operation, action.input as never, tables)}`
    case 'plain':
      return `service: ${commandText(action.operation, action.input as never, tables)}`
    case 'shards':
      return `${process}: ${shardsText(action, tables)}`
  }
}

function shardsText(
  { call, table, key, argument }: Extract<RecordedAction, { kind: 'shards' }>,
  tables: ReadonlyMap<string, WorkloadTable>,
): string {
  const own = tables.get(table)
  const path = own === undefined ? key : pathText({ table: own, partition: key, sort: undefined }, tables)
  const { unitsPerSecond } = (typeof argument === 'object' && argument !== null ? argument : {}) as {
    unitsPerSecond?: number
  }
  switch (call) {
    case 'set':
      return `set ${path} ${String(argument)}`
    case 'read':
      return `shards ${path}`
    default:
      return [call, path, ...(unitsPerSecond === undefined ? [] : [`units ${unitsPerSecond}`])].join(' ')
  }
}

function rulesOf({ attempts }: RecordedStep, timing: Timing, delay: number): readonly string[] {
  return attempts.flatMap((attempt, index) => {
    const words = wordsFor(attempt)
    const before = attempts
      .slice(0, index)
      .filter(
        (other) =>
          other.operation === attempt.operation &&
          words.every((word) => namedIn(other.operation, other.input).has(word)),
      )
    const request = [...nth(before.length + 1), attempt.operation, ...words].join(' ')
    return [...fateRules(attempt, request, timing, delay), ...partRules(attempt, before.length)]
  })
}

function fateRules(
  { fate, delayMilliseconds, answerMilliseconds }: RecordedAttempt,
  request: string,
  timing: Timing,
  delay: number,
): readonly string[] {
  const isDelayed = timing === 'exact' || fate === 'late'
  const [out, back] = [delayMilliseconds - delay, answerMilliseconds - delay]
  const times = [
    ...(isDelayed && out > 0 ? [`delay ${request} by ${out}ms`] : []),
    ...(isDelayed && back > 0 ? [`delay answer of ${request} by ${back}ms`] : []),
  ]
  switch (fate) {
    case 'request lost':
      return [`lose ${request}`]
    case 'reply lost':
      return [`lose answer of ${request}`, ...times]
    case '500 before':
      return [`fail ${request} with InternalServerError`, ...times]
    case '500 after':
      return [`fail answer of ${request} with InternalServerError`, ...times]
    case 'conflict':
      return [`fail ${request} with TransactionConflictException`, ...times]
    case 'throttled':
      return [`throttle ${request}`, ...times]
    default:
      return times
  }
}

function partRules({ operation, parts }: RecordedAttempt, before: number): readonly string[] {
  return parts.flatMap(({ part, milliseconds }) => {
    const word = itemIn(operation, part)
    return word === undefined || milliseconds <= 0
      ? []
      : [`delay ${[...nth(before + 1), word].join(' ')} in ${operation} by ${milliseconds}ms`]
  })
}

function nth(number: number): readonly string[] {
  if (number === 1) return []
  const ending =
    number % 100 > 10 && number % 100 < 20 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return [`${number}${ending}`]
}

/** The shortest words that distinguish a request from most others. */
function wordsFor({ operation, input }: RecordedAttempt): readonly string[] {
  const names = [...namedIn(operation, input)]
  const map = names.find((name) => name.endsWith('_shard_map'))
  if (map !== undefined) return [map]
  const word =
    operation === 'Query'
      ? names.find((name) => /_\d+$/.test(name) && !name.includes('/'))
      : itemIn(operation, input)
  return word === undefined || !isWord(word) ? [] : [word]
}

function itemIn(operation: string, input: object): string | undefined {
  return [...namedIn(operation, input)].find((name) => /_\d+\/[^/]+$/.test(name) && isWord(name))
}

function isWord(text: string): boolean {
  return /^[^\s"`(),;=<>{}]+$/.test(text)
}
