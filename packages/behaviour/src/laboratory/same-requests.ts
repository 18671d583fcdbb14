import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { randomInteger, SeededRandom } from '@isotherm/runtime'
import { expect } from 'vitest'
import type { Item, Laboratory } from './laboratory.js'

const IDS = 8

/**
 * Sends the same random requests to the sharded and the unsharded orders, by two processes in turn. Expects the same
 * responses and, in the end, the same items.
 */
export async function outcomesOfSameRequests(
  lab: Laboratory,
  customer: string,
  requests: number,
  seed: number,
): Promise<void> {
  const random = new SeededRandom(seed)
  const processes = [lab.process(), lab.process()]
  for (let index = 0; index < requests; index++) {
    const request = draw(random, customer)
    const process = processes[index % processes.length] ?? lab.process()
    const sharded = await outcome(() => process.send(request(lab.names.sharded.orders) as GetCommand))
    const plain = await outcome(() => lab.documents.send(request(lab.names.plain.orders) as GetCommand))
    expect(sharded, `request ${index} of seed ${seed}: ${JSON.stringify(request('orders').input)}`).toEqual(
      plain,
    )
  }
  const items = await lab.query(lab.process(), 'orders', customer)
  expect(items).toEqual(await lab.query(lab.documents, 'orders', customer, { plain: true }))
}

type Request = (TableName: string) => GetCommand | PutCommand | UpdateCommand | DeleteCommand

function draw(random: SeededRandom, customer: string): Request {
  const pick = <T>(choices: readonly T[]): T => {
    const choice = choices[randomInteger(random, 0, choices.length - 1)]
    if (choice === undefined) throw new Error('There is nothing to choose from.')
    return choice
  }
  const Key = { customer, order_id: `order ${randomInteger(random, 1, IDS)}` }
  const amount = randomInteger(random, 0, 5)
  const names = { '#amount': 'amount' }
  const bound = pick([
    {},
    { ConditionExpression: 'attribute_not_exists(customer)' },
    { ConditionExpression: 'attribute_exists(customer)' },
    {
      ConditionExpression: '#amount >= :bound OR attribute_not_exists(note)',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':bound': 2 },
    },
  ])
  const old = pick([{}, { ReturnValues: 'ALL_OLD' as const }])
  const onFailure = pick([{}, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }])
  switch (randomInteger(random, 0, 3)) {
    case 0:
      return (TableName) => new GetCommand({ TableName, Key, ConsistentRead: true })
    case 1: {
      const Item = { ...Key, amount, note: `note ${amount}` }
      return (TableName) => new PutCommand({ TableName, Item, ...bound, ...old, ...onFailure })
    }
    case 2: {
      const update = pick([
        'ADD #amount :one',
        'SET #amount = if_not_exists(#amount, :one) + :one',
        'SET #amount = :one REMOVE note',
      ])
      const ReturnValues = pick(['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'] as const)
      return (TableName) =>
        new UpdateCommand({
          TableName,
          Key,
          UpdateExpression: update,
          ...bound,
          ...onFailure,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ':one': 1, ...bound.ExpressionAttributeValues },
          ReturnValues,
        })
    }
    default:
      return (TableName) => new DeleteCommand({ TableName, Key, ...bound, ...old, ...onFailure })
  }
}

/** The part of a response that an application sees. */
async function outcome(send: () => Promise<object>): Promise<Item> {
  try {
    // DynamoDB Local returns the consumed capacity of some requests without being asked.
    const { $metadata: _, ConsumedCapacity: __, ...output } = (await send()) as Item
    return output
  } catch (error) {
    const { name, message, Item } = error as Error & { Item?: object }
    return { name, message, Item }
  }
}
