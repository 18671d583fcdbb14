import type { LoadGenerator } from '../load/load-generator.js'
import { createTables } from './create-tables.js'

/** Batches in flight share the commits of a durable engine. */
const CONNECTIONS = 32

/** Creates the tables in a service, and all of their items. */
export async function fill(port: number, generator: LoadGenerator): Promise<void> {
  await createTables(port)
  const order = { port, protocol: 'http', operation: undefined, until: 'all are sent' } as const
  await generator.send({ ...order, connections: CONNECTIONS })
}
