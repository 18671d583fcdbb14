import { ExecuteStatementCommand } from '@aws-sdk/client-dynamodb'
import { GetCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { fixedShards, IsothermError, isotherm } from 'isotherm'
import { expect } from 'vitest'
import type { Guarantees } from './guarantee.js'

/** The error's code names the problem, and its message the cure. */
async function expectRefusal(sent: () => Promise<unknown>, code: string, sentence: RegExp): Promise<void> {
  const error = await sent().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(IsothermError)
  expect(error).toMatchObject({ code, message: expect.stringMatching(sentence) })
  const { help } = error as IsothermError
  expect(help).toBe(`isotherm/ERRORS.md#${code.replace('.', '')}`)
}

export const refusals: Guarantees = {
  subject: 'Invalid requests are rejected before anything is sent, with a specific error and the remedy',
  file: 'refusals.ts',
  all: [
    {
      sentence: 'A numeric partition key, and a key that would be too long with its suffix.',
      async holds(lab) {
        const process = lab.process()
        const { numbers, log } = lab.names.sharded
        await expectRefusal(
          () => process.send(new PutCommand({ TableName: numbers, Item: { id: 1, at: 'a' } })),
          'key.type',
          /only a string \(S\) or binary \(B\) key/,
        )
        const file_path = 'x'.repeat(2_047)
        await expectRefusal(
          () => process.send(new PutCommand({ TableName: log, Item: { file_path, at: 1 } })),
          'key.too-long',
          /2,?048/,
        )
        expect(await lab.stored('log', file_path)).toEqual([])
      },
    },
    {
      sentence: 'PartiQL on a sharded table.',
      async holds(lab) {
        const Statement = `SELECT * FROM "${lab.names.sharded.log}"`
        await expectRefusal(
          () => lab.lowLevel().send(new ExecuteStatementCommand({ Statement })),
          'command.unsupported',
          /PartiQL|ExecuteStatement/,
        )
      },
    },
    {
      sentence: 'Legacy parameters, each with its modern equivalent in the error.',
      async holds(lab) {
        const process = lab.process()
        const TableName = lab.names.sharded.orders
        const Key = { customer: lab.key(), order_id: '1' }
        const requests = [
          () => process.send(new GetCommand({ TableName, Key, AttributesToGet: ['amount'] })),
          () =>
            process.send(new PutCommand({ TableName, Item: Key, Expected: { customer: { Exists: false } } })),
          () =>
            process.send(
              new UpdateCommand({
                TableName,
                Key,
                AttributeUpdates: { amount: { Action: 'ADD', Value: 1 } },
              }),
            ),
          () => process.send(new ScanCommand({ TableName, ScanFilter: {} })),
        ]
        for (const request of requests) {
          await expectRefusal(request, 'command.parameter-unsupported', /Say the same with \w+Expression/)
        }
        expect(await lab.stored('orders', Key.customer)).toEqual([])
      },
    },
    {
      sentence: 'A cursor of another key.',
      async holds(lab) {
        const ExclusiveStartKey = { file_path: 'another_1', at: 1 }
        await expectRefusal(
          () => lab.process().send(new QueryCommand({ ...lab.ofKey('log', lab.key()), ExclusiveStartKey })),
          'cursor.invalid',
          /LastEvaluatedKey/,
        )
      },
    },
    {
      sentence: 'An unknown option, and an invalid value of an option.',
      async holds(lab) {
        const table = { partitionKey: 'pk', sortKey: 'sk', suffix: 'random', shards: fixedShards(2) } as const
        const make = async (options: object) => isotherm(lab.client, options as never)
        await expectRefusal(() => make({ tables: {}, table: {} }), 'options.unknown', /table/)
        await expectRefusal(
          () => make({ tables: { log: { ...table, shard: 2 } } }),
          'options.unknown',
          /options\.tables\.log.*shard/,
        )
        await expectRefusal(
          () => make({ tables: { log: { ...table, delimiter: '7' } } }),
          'options.invalid',
          /delimiter.*without digits/,
        )
        expect(() => fixedShards(0)).toThrow(IsothermError)
      },
    },
  ],
}
