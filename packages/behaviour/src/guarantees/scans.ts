import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import type { Item, Laboratory, Process } from '../laboratory/laboratory.js'
import type { Guarantees } from './guarantee.js'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

async function scanned(lab: Laboratory, process: Process, segment: object = {}): Promise<Item[]> {
  const items: Item[] = []
  let from: Item | undefined
  do {
    const page = await process.send(
      new ScanCommand({
        TableName: lab.names.sharded.log,
        ConsistentRead: true,
        Limit: 11,
        ...segment,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }),
    )
    items.push(...(page.Items ?? []))
    from = page.LastEvaluatedKey
  } while (from !== undefined)
  return items
}

async function append(lab: Laboratory, file_path: string, count: number): Promise<void> {
  for (const at of range(0, count)) {
    await lab.process().send(new PutCommand({ TableName: lab.names.sharded.log, Item: { file_path, at } }))
  }
}

const ofKey = (items: readonly Item[], key: string) =>
  items
    .filter(({ file_path }) => file_path === key)
    .map(({ at }) => Number(at))
    .sort((a, b) => a - b)

export const scans: Guarantees = {
  subject: 'Scans',
  file: 'scans.ts',
  all: [
    {
      sentence: 'A scan returns every item once, under its logical key, and continues from its cursor.',
      async holds(lab) {
        const key = lab.key()
        await append(lab, key, 30)
        expect(ofKey(await scanned(lab, lab.process()), key)).toEqual(range(0, 30))
      },
    },
    {
      sentence: 'The segments of a parallel scan together return every item once.',
      async holds(lab) {
        const key = lab.key()
        await append(lab, key, 30)
        const segments = await Promise.all(
          range(0, 3).map((Segment) => scanned(lab, lab.process(), { Segment, TotalSegments: 3 })),
        )
        expect(ofKey(segments.flat(), key)).toEqual(range(0, 30))
      },
    },
  ],
}
