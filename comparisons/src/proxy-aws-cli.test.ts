import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled, run } from './installed.fixture.js'
import { type Proxied, serveProxied, UPSTREAMS } from './proxied.fixture.js'

/** All that are installed: version 2 is Debian's, version 1 is Python's. */
const programs = ['/usr/bin/aws', 'aws'].filter((each) => isInstalled(each, '--version'))

describe.each(UPSTREAMS)('the proxy in front of $name', (upstream) => {
  describe.skipIf(!upstream.isThere || programs.length === 0).each(programs)('for %s', (program) => {
    let proxied: Proxied
    let folder: string
    beforeAll(async () => {
      proxied = await serveProxied(upstream)
      folder = mkdtempSync(join(tmpdir(), 'isotherm-proxy-cli-'))
    })
    afterAll(async () => {
      rmSync(folder, { recursive: true })
      await proxied.stop()
    })

    function aws(...args: string[]) {
      return run(program, ['--endpoint-url', proxied.url, '--output', 'json', 'dynamodb', ...args], {
        AWS_PAGER: '',
        AWS_ACCESS_KEY_ID: 'any',
        AWS_SECRET_ACCESS_KEY: 'any',
        AWS_DEFAULT_REGION: 'eu-central-1',
        AWS_CONFIG_FILE: join(folder, 'config'),
        AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
        AWS_EC2_METADATA_DISABLED: 'true',
      })
    }

    async function answer(...args: string[]) {
      const { code, stdout, stderr } = await aws(...args)
      expect(code, `aws dynamodb ${args.join(' ')}\n${stderr}`).toBe(0)
      return stdout === '' ? {} : JSON.parse(stdout)
    }

    it('writes batches, and pages through queries by itself', async () => {
      const requests = Array.from({ length: 20 }, (_, id) => ({
        PutRequest: { Item: { customer: { S: 'ada' }, order_id: { S: String(id).padStart(4, '0') } } },
      }))
      writeFileSync(join(folder, 'batch.json'), JSON.stringify({ orders: requests }))
      const written = await answer(
        'batch-write-item',
        '--request-items',
        `file://${join(folder, 'batch.json')}`,
      )
      expect(written.UnprocessedItems).toEqual({})
      const { Items } = await answer(
        ...[
          'query',
          '--table-name',
          'orders',
          '--key-condition-expression',
          'customer = :c',
          '--page-size',
          '3',
        ],
        ...['--expression-attribute-values', '{":c":{"S":"ada"}}'],
      )
      expect(Items.map(({ order_id }: { order_id: { S: string } }) => Number(order_id.S))).toEqual(
        Array.from({ length: 20 }, (_, id) => id),
      )
      expect((await proxied.storedKeys()).size).toBe(4)
    })

    it('says why a condition and a transaction are refused', async () => {
      const item = { customer: { S: 'eve' }, order_id: { S: '1' } }
      const put = { TableName: 'orders', Item: item, ConditionExpression: 'attribute_exists(customer)' }
      const [condition, transaction, table] = await Promise.all([
        aws('put-item', '--cli-input-json', JSON.stringify(put)),
        aws('transact-write-items', '--transact-items', JSON.stringify([{ Put: put }])),
        aws('describe-table', '--table-name', 'nothing'),
      ])
      expect(condition.stderr).toContain(
        '(ConditionalCheckFailedException) when calling the PutItem operation',
      )
      expect(transaction.stderr).toContain('specific reasons [ConditionalCheckFailed]')
      expect(table.stderr).toContain('(ResourceNotFoundException)')
    })

    it('manages tables', async () => {
      const { TableNames } = await answer('list-tables')
      expect(TableNames).toEqual(['orders', 'orders_shard_map', 'plain'])
      expect(await answer('wait', 'table-exists', '--table-name', 'orders')).toEqual({})
    })
  })
})
