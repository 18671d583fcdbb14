import { CreateTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, expect, it, vi } from 'vitest'
import { createLocal } from './local.js'

/** As that of happy-dom: its signal is no EventTarget of Node. */
class PageAbortController {
  readonly signal = {
    aborted: false,
    addEventListener() {},
    removeEventListener() {},
    throwIfAborted() {},
  }
  abort(): void {
    this.signal.aborted = true
  }
}

afterEach(() => vi.unstubAllGlobals())

it('runs where a test emulates a page, whose AbortController is not that of Node', async () => {
  vi.stubGlobal('AbortController', PageAbortController)
  const local = createLocal()
  await local.client().send(
    new CreateTableCommand({
      TableName: 'orders',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  )
  expect((await local.client().send(new ListTablesCommand({}))).TableNames).toEqual(['orders'])
  await local.close()
})
