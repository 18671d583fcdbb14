// Started by start-up.js in a separate process: the engine inside the process that uses it. It reports its first
// response, then writes 10,000 items and reports again. Its parent measures the time and the memory.
import { once } from 'node:events'
import { BatchWriteItemCommand, CreateTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { startLocal } from '@isotherm/local'
import { batches, TABLE } from './load.js'

const imported = performance.now()
const local = await startLocal({ throttle: false })
const client = local.client()
await client.send(new ListTablesCommand({}))
process.send({ startMilliseconds: performance.now() - imported })
await once(process, 'message')
await client.send(new CreateTableCommand(TABLE))
for (const batch of batches()) await client.send(new BatchWriteItemCommand(batch))
process.send({ loaded: true })
await once(process, 'message')
process.exit()
