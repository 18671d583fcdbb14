import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled, run } from './installed.fixture.js'
import { type Proxied, serveProxied, UPSTREAMS } from './proxied.fixture.js'

const PROBE = "import boto3; boto3.client('dynamodb', region_name='eu-central-1').execute_statement"
/** Debian's boto3 needs Debian's own Python; another one can come first on the path. */
const python = ['/usr/bin/python3', 'python3'].find((each) => isInstalled(each, '-c', PROBE))
const script = fileURLToPath(new URL('../python/boto3_sharded.py', import.meta.url))

describe.each(UPSTREAMS)('the proxy in front of $name', (upstream) => {
  describe.skipIf(!upstream.isThere || python === undefined)('for boto3', () => {
    let proxied: Proxied
    let seen: Record<string, unknown>
    beforeAll(async () => {
      proxied = await serveProxied(upstream)
      const { code, stdout, stderr } = await run(String(python), [script, proxied.url])
      expect(code, stderr).toBe(0)
      seen = JSON.parse(stdout)
    })
    afterAll(() => proxied.stop())

    it('keeps every type of Python, and raises errors with their items', () => {
      expect(seen).toMatchObject({
        round_trip: true,
        updated: [3, false],
        condition: { Code: 'ConditionalCheckFailedException', Message: 'The conditional request failed' },
        condition_item: { S: '0001' },
        request_id: true,
        deleted: 'ada',
      })
    })

    it('takes its batches, and pages through the shards in order', () => {
      expect(seen.batch_get).toEqual([4, {}])
      expect(seen.pages).toEqual([7, 7, 7, 7, 7, 5])
      expect(seen.in_order).toBe(true)
      expect(seen.newest).toEqual(['0059', '0058'])
      expect(seen.filtered).toBe(4)
      expect(seen.scanned).toEqual([50, ['eve']])
    })

    it('runs transactions over a sharded table and another one', () => {
      expect(seen.cancelled).toEqual(['TransactionCanceledException', ['None', 'ConditionalCheckFailed']])
      expect(seen.cancelled_item).toEqual({ customer: { S: 'ada' }, order_id: { S: '0007' } })
      expect(seen.transaction).toEqual([true, true])
    })

    it('passes other tables through, and refuses statements on sharded ones in a sentence', () => {
      expect(seen).toMatchObject({
        plain: 'names the sharded table',
        statement: [{ note: { S: 'names the sharded table' } }],
        no_statement: { Code: 'ValidationException', Message: expect.stringContaining('orders') },
        no_key: 'ValidationException',
        described: 'orders',
      })
    })

    it('has stored the items in shards', async () => {
      const keys = await proxied.storedKeys()
      expect(keys).toEqual(new Set([...keys].filter((key) => /^(ada|eve)_[1-4]$/.test(key))))
      expect(keys.size).toBeGreaterThan(3)
    })
  })
})
