import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled, run } from './installed.fixture.js'
import { type Served, serve } from './served.fixture.js'

/** Debian's own first, then the first one on the path. */
const program = ['/usr/bin/aws', 'aws'].find((each) => isInstalled(each, '--version'))

describe.skipIf(program === undefined)(
  'the AWS CLI (skipped where it is not installed: install awscli)',
  () => {
    let served: Served
    let folder: string

    /** Runs `aws` with the given arguments. */
    function aws(...args: string[]) {
      return run(String(program), ['--endpoint-url', served.url, '--output', 'json', ...args], {
        // Version 2 would start a pager; version 1 does not know the flag against it.
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
      expect(code, `aws ${args.join(' ')}\n${stderr}`).toBe(0)
      return stdout === '' ? {} : JSON.parse(stdout)
    }

    beforeAll(async () => {
      served = await serve()
      folder = mkdtempSync(join(tmpdir(), 'isotherm-aws-cli-'))
      const created = await answer(
        ...['dynamodb', 'create-table', '--table-name', 'orders', '--provisioned-throughput'],
        'ReadCapacityUnits=100,WriteCapacityUnits=100',
        ...[
          '--attribute-definitions',
          'AttributeName=customer,AttributeType=S',
          'AttributeName=id,AttributeType=N',
        ],
        ...['--key-schema', 'AttributeName=customer,KeyType=HASH', 'AttributeName=id,KeyType=RANGE'],
        ...['--stream-specification', 'StreamEnabled=true,StreamViewType=NEW_IMAGE'],
        ...['--tags', 'Key=team,Value=sales'],
      )
      expect(created.TableDescription.TableArn).toMatch(
        /^arn:aws:dynamodb:eu-central-1:\d{12}:table\/orders$/,
      )
      const requests = Array.from({ length: 12 }, (_, id) => ({
        PutRequest: { Item: { customer: { S: 'ada' }, id: { N: String(id) }, note: { S: `ordér ☃ ${id}` } } },
      }))
      writeFileSync(join(folder, 'batch.json'), JSON.stringify({ orders: requests }))
      const written = await answer(
        ...['dynamodb', 'batch-write-item', '--request-items', `file://${join(folder, 'batch.json')}`],
      )
      expect(written.UnprocessedItems).toEqual({})
    })

    afterAll(async () => {
      rmSync(folder, { recursive: true })
      await served.stop()
    })

    // Each takes half a second to start, so they start together.
    it.concurrent('waits for tables and lists them', async () => {
      expect(await answer('dynamodb', 'wait', 'table-exists', '--table-name', 'orders')).toEqual({})
      expect(await answer('dynamodb', 'list-tables')).toEqual({ TableNames: ['orders'] })
    })

    it.concurrent('gets items, as JSON and by its query language', async () => {
      const key = '{"customer":{"S":"ada"},"id":{"N":"3"}}'
      const got = await answer(
        'dynamodb',
        'get-item',
        '--table-name',
        'orders',
        '--key',
        key,
        '--query',
        'Item.note.S',
      )
      expect(got).toBe('ordér ☃ 3')
    })

    it.concurrent('pages through queries by itself, and stops where it is told to', async () => {
      const query = [
        ...[
          'dynamodb',
          'query',
          '--table-name',
          'orders',
          '--key-condition-expression',
          'customer = :c AND id >= :i',
        ],
        ...['--expression-attribute-values', '{":c":{"S":"ada"},":i":{"N":"2"}}', '--page-size', '3'],
      ]
      const [all, some] = await Promise.all([answer(...query), answer(...query, '--max-items', '4')])
      expect(all.Items.map((item: { id: { N: string } }) => item.id.N)).toEqual(
        Array.from({ length: 10 }, (_, index) => String(index + 2)),
      )
      expect(some.Items).toHaveLength(4)
      expect(some.NextToken).toEqual(expect.any(String))
    })

    it.concurrent('scans with a filter and counts', async () => {
      const counted = await answer(
        ...['dynamodb', 'scan', '--table-name', 'orders', '--filter-expression', 'id BETWEEN :low AND :high'],
        ...['--expression-attribute-values', '{":low":{"N":"4"},":high":{"N":"6"}}', '--select', 'COUNT'],
        ...['--return-consumed-capacity', 'TOTAL'],
      )
      expect(counted).toMatchObject({ Count: 3, ScannedCount: 12, ConsumedCapacity: { TableName: 'orders' } })
    })

    it.concurrent('says why a condition, a transaction and a request are refused', async () => {
      const put = [
        {
          Put: {
            TableName: 'orders',
            Item: { customer: { S: 'ada' }, id: { N: '1' } },
            ConditionExpression: 'attribute_not_exists(id)',
          },
        },
      ]
      const [condition, transaction, request] = await Promise.all([
        aws(
          ...[
            'dynamodb',
            'update-item',
            '--table-name',
            'orders',
            '--key',
            '{"customer":{"S":"ada"},"id":{"N":"99"}}',
          ],
          ...['--update-expression', 'SET note = :n', '--condition-expression', 'attribute_exists(id)'],
          ...['--expression-attribute-values', '{":n":{"S":"never"}}'],
        ),
        aws('dynamodb', 'transact-write-items', '--transact-items', JSON.stringify(put)),
        aws('dynamodb', 'describe-table', '--table-name', 'nothing'),
      ])
      expect(condition.stderr).toContain(
        'An error occurred (ConditionalCheckFailedException) when calling the UpdateItem operation: The conditional request failed',
      )
      expect(transaction.stderr).toContain(
        'Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed]',
      )
      expect(request.stderr).toContain('(ResourceNotFoundException)')
      expect([condition.code, transaction.code, request.code].every((code) => code !== 0)).toBe(true)
    })

    it.concurrent('runs statements', async () => {
      const found = await answer(
        ...[
          'dynamodb',
          'execute-statement',
          '--statement',
          'SELECT note FROM orders WHERE customer = ? AND id = ?',
        ],
        ...['--parameters', '[{"S":"ada"},{"N":"7"}]'],
      )
      expect(found.Items).toEqual([{ note: { S: 'ordér ☃ 7' } }])
    })

    it.concurrent('reads streams, shard by shard', async () => {
      const { Streams } = await answer('dynamodbstreams', 'list-streams', '--table-name', 'orders')
      const arn = Streams[0].StreamArn
      const { StreamDescription } = await answer('dynamodbstreams', 'describe-stream', '--stream-arn', arn)
      const names = await Promise.all(
        StreamDescription.Shards.map(async ({ ShardId }: { ShardId: string }) => {
          const { ShardIterator } = await answer(
            ...['dynamodbstreams', 'get-shard-iterator', '--stream-arn', arn],
            ...['--shard-id', ShardId, '--shard-iterator-type', 'TRIM_HORIZON'],
          )
          const { Records } = await answer(
            'dynamodbstreams',
            'get-records',
            '--shard-iterator',
            ShardIterator,
          )
          return Records.map(({ eventName }: { eventName: string }) => eventName)
        }),
      )
      expect(names.flat()).toEqual(Array.from({ length: 12 }, () => 'INSERT'))
    })
  },
)
