// A process with a durable engine under load, which a test kills. It prints what was acknowledged: `put writer count`
// for a write of an item, and `move writer count` for a transaction.
//
// Every writer counts in a separate item, which has an index and a stream, and moves money between two accounts in
// transactions that add an entry to a ledger. Partitions become hot, so that they are also split under load.
import { writeSync } from 'node:fs'
import { SystemClock, SystemRandom } from '@isotherm/runtime'
import { Engine } from '../dist/engine/engine.js'
import { LmdbStorage } from '../dist/storage/lmdb/lmdb-storage.js'

const [directory, writers, accounts] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])]
const REGION = 'us-east-1'

const clock = new SystemClock()
const engine = new Engine({
  storage: new LmdbStorage(directory),
  clock,
  random: new SystemRandom(),
  capacity: { heatSeconds: 1, heatThreshold: 0.01 },
  throttle: false,
  onPartitionEvent() {},
  stopwatch: clock,
})
const ask = (operation, input) => engine.execute(operation, input, REGION)

async function prepare() {
  const { TableNames: tables } = await ask('ListTables', {})
  if (tables.includes('ledger')) return
  const key = (name) => ({
    AttributeDefinitions: [{ AttributeName: name, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  // An earlier run may have been killed between any two of these.
  if (!tables.includes('counters')) {
    await ask('CreateTable', {
      TableName: 'counters',
      ...key('id'),
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'n', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-count',
          KeySchema: [{ AttributeName: 'n', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
  }
  if (!tables.includes('accounts')) await ask('CreateTable', { TableName: 'accounts', ...key('id') })
  for (let account = 0; account < accounts; account++) {
    const Item = { id: { S: `${account}` }, balance: { N: '100' } }
    await ask('PutItem', { TableName: 'accounts', Item })
  }
  await ask('CreateTable', { TableName: 'ledger', ...key('entry') })
}

async function countOn(writer, start) {
  for (let n = start + 1; ; n++) {
    await ask('PutItem', { TableName: 'counters', Item: { id: { S: `${writer}` }, n: { N: `${n}` } } })
    writeSync(1, `put ${writer} ${n}\n`)
    if (n % 3 === 0) await move(writer, n)
  }
}

async function move(writer, n) {
  const [from, to] = [(writer * 7 + n) % accounts, (writer * 5 + n * 3 + 1) % accounts]
  if (from === to) return
  const change = (account, amount) => ({
    Update: {
      TableName: 'accounts',
      Key: { id: { S: `${account}` } },
      UpdateExpression: 'SET balance = balance + :amount',
      ExpressionAttributeValues: { ':amount': { N: `${amount}` } },
    },
  })
  const Item = { entry: { S: `${writer}-${n}` }, from: { N: `${from}` }, to: { N: `${to}` } }
  try {
    await ask('TransactWriteItems', {
      TransactItems: [change(from, -1), change(to, 1), { Put: { TableName: 'ledger', Item } }],
    })
    writeSync(1, `move ${writer} ${n}\n`)
  } catch (error) {
    // Two transactions conflicted on an account, so this one changed nothing.
    if (error.name !== 'TransactionCanceledException') throw error
  }
}

// The parent process may end before it kills this one.
process.stdin.on('end', () => process.exit()).resume()
await prepare()
for (let writer = 0; writer < writers; writer++) {
  const { Item } = await ask('GetItem', { TableName: 'counters', Key: { id: { S: `${writer}` } } })
  void countOn(writer, Item === undefined ? 0 : Number(Item.n.N))
}
