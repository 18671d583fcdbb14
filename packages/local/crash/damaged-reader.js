// Reads a data directory, writes to it and reads it again, many times, each time with one bit of its data file flipped.
// Prints a line for each position: whether every answer was right (`same`), a request or the start was refused for damage
// (`noticed`), or an answer was wrong (`WRONG`). Writes come after the reads, because damage of what only writes use destroys
// rows then.
//
// Arguments: the intact directory, a directory for the damaged copy, and positions `byte.bit`.
import { closeSync, cpSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { BatchWriteItemCommand, GetItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '../dist/index.js'

const [intact, copy, ...positions] = process.argv.slice(2)

/** The keys of every fifth item, from the intact directory. */
let names

/** Everything a client can read, as one text for each request. */
async function* answers(directory) {
  const local = createLocal({ data: directory, throttle: false, onBug: () => {} })
  try {
    const client = local.client({ maxAttempts: 1 })
    const pages = async (command, input) => {
      const items = []
      let ExclusiveStartKey
      do {
        const page = await client.send(new command({ ...input, ExclusiveStartKey }))
        items.push(...page.Items)
        ExclusiveStartKey = page.LastEvaluatedKey
      } while (ExclusiveStartKey !== undefined)
      return items
    }
    const all = async function* (work) {
      try {
        yield JSON.stringify(await work())
      } catch (error) {
        yield `ERROR ${error.name} ${error.message}`
      }
    }
    yield* all(() => pages(ScanCommand, { TableName: 'things' }))
    names ??= (await pages(ScanCommand, { TableName: 'things' }))
      .map(({ pk }) => pk.S)
      .filter((_, each) => each % 5 === 0)
    yield* all(() => pages(ScanCommand, { TableName: 'things', IndexName: 'by-kind' }))
    for (let each = 0; each < 10; each++) {
      for (const ScanIndexForward of [true, false]) {
        yield* all(() =>
          pages(QueryCommand, {
            TableName: 'things',
            IndexName: 'by-kind',
            KeyConditionExpression: 'kind = :k',
            ExpressionAttributeValues: { ':k': { S: `kind-${each}` } },
            ScanIndexForward,
          }),
        )
      }
    }
    for (const name of names) {
      yield* all(() =>
        client
          .send(new GetItemCommand({ TableName: 'things', Key: { pk: { S: name } } }))
          .then(({ Item }) => Item),
      )
    }
  } finally {
    await local.close()
  }
}

/** Adds items, and overwrites and deletes others, small ones and large ones. */
async function write(directory) {
  const local = createLocal({ data: directory, throttle: false, onBug: () => {} })
  try {
    const client = local.client({ maxAttempts: 1 })
    const put = (pk, text) => ({
      PutRequest: { Item: { pk: { S: pk }, kind: { S: 'kind-3' }, text: { S: text } } },
    })
    for (let commit = 0; commit < 4; commit++) {
      const things = names.filter((_, each) => each % 13 === commit).slice(0, 12)
      await client.send(
        new BatchWriteItemCommand({
          RequestItems: {
            things: things.map((pk, each) => {
              if (each % 3 === 0) return { DeleteRequest: { Key: { pk: { S: pk } } } }
              return put(each % 3 === 1 ? `new-${commit}-${each}` : pk, 'text '.repeat(each * 200))
            }),
          },
        }),
      )
    }
  } finally {
    await local.close()
  }
}

async function all(directory) {
  const found = []
  for await (const answer of answers(directory)) found.push(answer)
  return found
}

const isDamage = (answer) => String(answer).startsWith('ERROR') && answer.includes('is damaged')

/** What the answers are beside what they should be. */
function judge(found, expected) {
  const wrong = found.findIndex((answer, at) => answer !== expected[at] && !isDamage(answer))
  if (wrong >= 0) return `WRONG ${wrong} ${String(found[wrong]).slice(0, 200)}`
  return found.some(isDamage) ? 'noticed' : 'same'
}

async function outcomeOf(directory) {
  try {
    const before = judge(await all(directory), expected)
    if (before !== 'same') return before
    await write(directory)
    const after = judge(await all(directory), written)
    return after === 'same' ? 'same' : `${after} after writing`
  } catch (error) {
    return error.message.includes('is damaged') ? 'noticed, refused' : `WRONG ${error.stack}`
  }
}

const expected = await all(intact)
rmSync(copy, { recursive: true, force: true })
cpSync(intact, copy, { recursive: true })
await write(copy)
const written = await all(copy)
for (const position of positions) {
  const [byte, bit] = position.split('.').map(Number)
  writeSync(1, `${position} `)
  rmSync(copy, { recursive: true, force: true })
  cpSync(intact, copy, { recursive: true })
  const file = openSync(join(copy, 'items.mdb'), 'r+')
  const one = Buffer.alloc(1)
  readSync(file, one, 0, 1, byte)
  one[0] ^= 1 << bit
  writeSync(file, one, 0, 1, byte)
  closeSync(file)
  writeSync(1, `${await outcomeOf(copy)}\n`)
}
