import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Clock } from 'isotherm'
import { type ObjectStore, type PlainItem, rotation } from 'isotherm/rotation'

/** A line of an access log. */
export interface LogLine {
  readonly host: string
  /** A timestamp in UTC. */
  readonly at: string
  readonly path: string
  readonly status: number
}

/** Months that stay in tables. Older ones are in the archive. */
const MONTHS_KEPT = 3
const PAGE_LINES = 500

/**
 * Keeps access logs in a table for each month. Old months are files.
 *
 * @param archive where old months go: a directory or a bucket
 * @param clock the system clock by default; tests have their own
 */
export function monthlyLogs(db: DynamoDBClient, archive: ObjectStore, clock?: Clock) {
  let written = 0
  const logs = rotation(db, {
    table: 'access_log',
    partitionKey: 'host',
    sortKey: 'at',
    period: 'month',
    ...(clock === undefined ? {} : { clock }),
  })

  return {
    /** Stores a line. Two of them in one millisecond are two items. */
    async write({ at, ...line }: LogLine): Promise<void> {
      written += 1
      await logs.put({ ...line, at: `${new Date(at).toISOString()}#${written}` })
    },

    /** The errors of a host in a range of time, over as many months as it takes. */
    async errors(host: string, from: string, to: string): Promise<readonly PlainItem[]> {
      const found: PlainItem[] = []
      let cursor: string | undefined
      do {
        const page = await logs.query({
          key: host,
          from,
          to,
          limit: PAGE_LINES,
          filter: {
            expression: '#status >= :error',
            names: { '#status': 'status' },
            values: { ':error': 500 },
          },
          ...(cursor === undefined ? {} : { cursor }),
        })
        found.push(...page.items)
        cursor = page.cursor
      } while (cursor !== undefined)
      return found
    },

    /** Every night: the next table is created, and months that are old enough are archived and dropped. */
    async everyNight(now: Date): Promise<readonly string[]> {
      await logs.maintain()
      const moved: string[] = []
      for (const { label, from, to, state } of await logs.periods()) {
        const isOld = to.getTime() <= monthsBefore(now, MONTHS_KEPT)
        if (!isOld || state === 'dropped') continue
        await logs.archive(from, { store: archive })
        await logs.drop(from, { store: archive })
        moved.push(label)
      }
      return moved
    },

    /** The lines of a month that is no longer in a table. */
    archived: (month: string) => logs.readArchive(`${month}-01`, { store: archive }),
  }
}

function monthsBefore(date: Date, months: number): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)
}
