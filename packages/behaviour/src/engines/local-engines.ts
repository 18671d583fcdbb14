import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import type { Engine } from './engine.js'

const ANYBODY = { accessKeyId: 'any', secretAccessKey: 'any' }

export const inProcess: Engine = {
  name: 'the local engine, in process',
  lacks: {},
  async open() {
    const local = createLocal()
    return { client: () => local.client(), keepsTables: false, close: () => local.close() }
  },
}

export const overHttp: Engine = {
  name: 'the local engine, over HTTP',
  lacks: {},
  async open() {
    const local = createLocal()
    const { url } = await local.listen({ port: 0 })
    const client = () => new DynamoDBClient({ endpoint: url, region: 'eu-central-1', credentials: ANYBODY })
    return { client, keepsTables: false, close: () => local.close() }
  },
}

/** An engine that refuses transactions, like ScyllaDB Alternator; the library's options say so. */
export const withoutTransactions: Engine = {
  name: 'the local engine, without transactions',
  lacks: { transactions: 'this engine refuses transactions' },
  async open() {
    const local = createLocal()
    const client = () => {
      const made = local.client()
      made.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            if (commandName?.startsWith('Transact')) {
              throw Object.assign(new Error(`${commandName} is not known here.`), {
                name: 'UnknownOperationException',
              })
            }
            return next(args)
          },
        { step: 'initialize', name: 'refuseTransactions' },
      )
      return made
    }
    return { client, keepsTables: false, close: () => local.close() }
  },
}
