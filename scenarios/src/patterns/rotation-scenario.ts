import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { ensureCatalog, type ObjectStore, rotation } from 'isotherm/rotation'
import { BEGINNING, DAY, LINES, type Line, linesOf, MONTHS, SKEWS } from './log-lines.js'
import type { PatternReport, PatternSettings } from './pattern-report.js'
import { rotateByHand } from './rotation-by-hand.js'
import { inWorld, type RotationOutcome } from './rotation-world.js'

/** Months that stay in tables. */
const KEPT = 2

/**
 * Half a year of a log, by writers whose clocks are wrong and one that is offline for two boundaries; months that are old are archived and
 * dropped. By hand, nothing is dropped, and a writer puts each line into the table of the month that its clock shows.
 */
export async function runRotation({ seed, scale = 1 }: PatternSettings): Promise<PatternReport> {
  const lines = linesOf(seed, Math.ceil(LINES * scale))
  const byHand = await rotateByHand(lines)
  const pattern = await playPattern(lines, seed)
  const row = (name: string, key: keyof RotationOutcome) => ({
    name,
    values: [byHand[key], pattern[key]] as const,
  })
  return {
    title: `${lines.length} lines in ${MONTHS} months, ${SKEWS.length} writers with wrong clocks, one offline over two boundaries`,
    seed,
    columns: ["by the writer's clock", 'isotherm/rotation'],
    rows: [
      row('lines that were written', 'written'),
      row('lines in the table of another month', 'misplaced'),
      row('lines that a query of their month finds', 'found'),
      row('lines that were refused as too late', 'refused'),
      row('months in the archive', 'archived'),
      row('lines in the archive', 'archivedLines'),
      row('lines that neither a query nor the archive finds', 'lost'),
      row('tables at the end', 'tables'),
    ],
    isGood:
      pattern.misplaced === 0 &&
      pattern.lost === 0 &&
      pattern.found + pattern.archivedLines === pattern.written,
  }
}

async function playPattern(lines: readonly Line[], seed: number): Promise<RotationOutcome> {
  const objects = new Map<string, Uint8Array>()
  const store: ObjectStore = {
    put: async (name, bytes) => {
      objects.set(name, bytes)
    },
    get: async (name) => objects.get(name),
    delete: async (name) => {
      objects.delete(name)
    },
  }
  return inWorld(seed, async (client, clock) => {
    await ensureCatalog(client, { table: 'log', clock })
    const open = (skewHours: number) =>
      rotation(client, {
        table: 'log',
        partitionKey: 'host',
        sortKey: 'at',
        period: 'month',
        clock: {
          now: () => clock.now() + skewHours * 3_600_000,
          sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
        },
        random: new SeededRandom(seed),
      })
    const writers = SKEWS.map(open)
    const keeper = open(0)
    const sent: Line[] = []
    let refused = 0
    let archivedLines = 0
    let tidied = BEGINNING
    for (const line of lines) {
      if (line.sentAt > clock.now()) await clock.sleep(line.sentAt - clock.now())
      try {
        await writers[line.writer]?.put({ host: 'web1', at: line.at })
        sent.push(line)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'rotation.closed')) throw error
        refused += 1
      }
      if (clock.now() < tidied + 7 * DAY) continue
      tidied = clock.now()
      await keeper.maintain()
      for (const { from, to, state } of await keeper.periods()) {
        if (to.getTime() > clock.now() - KEPT * 31 * DAY || state === 'dropped') continue
        archivedLines += (await keeper.archive(from, { store })).items
        await keeper.drop(from, { store })
      }
    }
    const kept = new Set<string>()
    let misplaced = 0
    for (const { label, table, from, to, state } of await keeper.periods()) {
      if (state === 'dropped') {
        for await (const { at } of keeper.readArchive(from, { store })) {
          kept.add(String(at))
          if (!String(at).startsWith(label)) misplaced += 1
        }
        continue
      }
      misplaced += (await timesIn(client, table)).filter((at) => !at.startsWith(label)).length
      let cursor: string | undefined
      do {
        const page = await keeper.query({ key: 'web1', from, to, limit: 1_000, ...(cursor && { cursor }) })
        for (const { at } of page.items) kept.add(String(at))
        cursor = page.cursor
      } while (cursor !== undefined)
    }
    const periods = await keeper.periods()
    const archived = periods.filter(({ state }) => state === 'dropped')
    return {
      written: sent.length,
      misplaced,
      found: kept.size - archivedLines,
      refused,
      archived: archived.length,
      archivedLines,
      lost: sent.filter(({ at }) => !kept.has(at)).length,
      tables: periods.length - archived.length,
    }
  })
}

/** Of all that a table has, past the rotation. */
async function timesIn(client: DynamoDBClient, TableName: string): Promise<readonly string[]> {
  const times: string[] = []
  let cursor: ScanCommand['input']['ExclusiveStartKey']
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey: cursor }))
    times.push(...(page.Items ?? []).map(({ at }) => at?.S ?? ''))
    cursor = page.LastEvaluatedKey
  } while (cursor !== undefined)
  return times
}
