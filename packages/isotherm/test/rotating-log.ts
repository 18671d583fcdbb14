import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import type { ObjectStore } from '../src/patterns/object-store/object-store.js'
import { ensureCatalog } from '../src/patterns/rotation/ensure-catalog.js'
import { type Rotation, rotation } from '../src/patterns/rotation/rotation.js'
import type { RotationOptions } from '../src/patterns/rotation/rotation-options.js'
import type { PatternClient } from '../src/patterns/sending/pattern-client.js'

/** A log with a table for each month, in an engine of its own, and writers whose clocks are set by hand. */
export async function rotatingLog() {
  const local = createLocal({ throttle: false })
  const client = local.client()
  await ensureCatalog(client, { table: 'log' })
  let now = Date.parse('2026-11-20T12:00:00Z')
  const requests: string[] = []
  const recording: PatternClient = {
    ...{ config: {}, middlewareStack: {} },
    ...{
      send: (command: never, options: never) => {
        const { TableName } = (command as { readonly input: { readonly TableName: string } }).input
        requests.push(`${(command as object).constructor.name.replace('Command', '')} ${TableName}`)
        return client.send(command, options)
      },
    },
  }
  return {
    client,
    requests,
    close: () => local.close(),
    setTime: (text: string) => {
      now = Date.parse(text)
    },
    /** @param skewMilliseconds how far the writer's clock is ahead */
    writer: (
      options: Partial<RotationOptions> = {},
      { skewMilliseconds = 0, db = recording }: { skewMilliseconds?: number; db?: PatternClient } = {},
    ): Rotation =>
      rotation(db, {
        table: 'log',
        partitionKey: 'file',
        sortKey: 'at',
        period: 'month',
        clock: {
          now: () => now + skewMilliseconds,
          sleep: async (milliseconds) => {
            now += milliseconds
          },
        },
        ...options,
      }),
    tables: async () => {
      const { TableNames = [] } = await client.send(new ListTablesCommand({}))
      return TableNames.filter((name) => name.startsWith('log_2'))
    },
  }
}

export type RotatingLog = Awaited<ReturnType<typeof rotatingLog>>

/** Objects in memory. */
export function memoryStore(): ObjectStore & { readonly objects: Map<string, Uint8Array> } {
  const objects = new Map<string, Uint8Array>()
  return {
    objects,
    put: async (name, bytes) => {
      objects.set(name, bytes)
    },
    get: async (name) => objects.get(name),
    delete: async (name) => {
      objects.delete(name)
    },
  }
}

/** A query's pages until there is no cursor. */
export async function everyPage(
  log: Rotation,
  query: Parameters<Rotation['query']>[0],
): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await log.query(cursor === undefined ? query : { ...query, cursor })
    pages.push(page.items.map(({ at }) => String(at)))
    cursor = page.cursor
  } while (cursor !== undefined)
  return pages
}

export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

export async function putAll(log: Rotation, times: readonly string[]): Promise<void> {
  for (const at of times) await log.put({ file: '/a', at })
}
