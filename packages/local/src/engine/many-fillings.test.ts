import { afterEach, beforeEach, expect, it } from 'vitest'
import { EngineFixture } from './engine.fixture.js'

/** One more than Node takes for a leak of listeners. */
const TABLES = 11
/** More than one chunk, so that each filling pauses. */
const ITEMS = 1_200

const warnings: Error[] = []
const onWarning = (warning: Error) => warnings.push(warning)
beforeEach(() => process.on('warning', onWarning))
afterEach(() => process.off('warning', onWarning))

const names = Array.from({ length: TABLES }, (_, at) => `table-${at}`)

function engineWithTables(): EngineFixture {
  const fixture = new EngineFixture({ throttle: false, transactionMilliseconds: 0 })
  for (const TableName of names) {
    fixture.ask('CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    })
    for (let each = 0; each < ITEMS; each++) {
      fixture.ask('PutItem', { TableName, Item: { pk: { S: `${each}` }, state: { S: 'open' } } })
    }
  }
  return fixture
}

it.each([
  ['backups', 'CreateBackup', (TableName: string) => ({ TableName, BackupName: 'daily' })],
  [
    'indexes',
    'UpdateTable',
    (TableName: string) => ({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'state', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'by_state',
            KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        },
      ],
    }),
  ],
] as const)(
  'many %s that are filled at the same time cause no warning of a leak',
  async (_, operation, input) => {
    const fixture = engineWithTables()
    for (const name of names) fixture.ask(operation, input(name))
    // Node warns in a later turn.
    await new Promise(setImmediate)
    expect(warnings).toEqual([])
  },
)
