// Reads a data directory many times, each time with one bit of its data file flipped, and prints a line for each
// position: whether every answer was right (`same`), a request or the start was refused for damage (`noticed`), or an
// answer was wrong (`WRONG`). The parent process starts it again behind a position at which it ended.
//
// Arguments: the intact directory, a directory for the damaged copy, and positions `byte.bit`.
import { closeSync, cpSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { GetItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
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

const expected = []
for await (const answer of answers(intact)) expected.push(answer)
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
  let outcome = 'same'
  let at = 0
  try {
    for await (const answer of answers(copy)) {
      if (answer !== expected[at]) {
        if (String(answer).startsWith('ERROR') && answer.includes('is damaged')) {
          if (outcome === 'same') outcome = 'noticed'
        } else if (outcome !== 'WRONG') outcome = `WRONG ${at} ${String(answer).slice(0, 200)}`
      }
      at++
    }
  } catch (error) {
    outcome = error.message.includes('is damaged') ? 'noticed at start' : `WRONG ${error.stack}`
  }
  writeSync(1, `${outcome}\n`)
}
