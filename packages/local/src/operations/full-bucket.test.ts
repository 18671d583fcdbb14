import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DescribeExportCommand,
  DescribeImportCommand,
  DescribeTableCommand,
  ExportTableToPointInTimeCommand,
  ImportTableCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterAll, expect, it } from 'vitest'
import { createLocal } from '../local.js'

/** A separate small disk. Only the superuser on Linux can create one. */
const disk = mkdtempSync(join(tmpdir(), 'isotherm-bucket-'))
const isMounted = mount()
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true })
})

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const skipped = isMounted ? '' : ' (skipped: mounting a small disk needs the superuser of Linux)'

it.skipIf(!isMounted)(
  `an export to a full disk fails with the reason, leaves nothing, and can be repeated${skipped}`,
  async () => {
    const filler = join(disk, 'filler')
    writeFileSync(filler, Buffer.alloc(63 * 1024 * 1024))
    await using local = createLocal({ buckets: disk, throttle: false })
    const client = local.client({ maxAttempts: 1 })
    const { TableDescription } = await client.send(createTable('large', ['id']))
    for (const id of ['a', 'b', 'c', 'd']) {
      const Item = { id: { S: id }, noise: { B: randomBytes(350_000) } }
      await client.send(new PutItemCommand({ TableName: 'large', Item }))
    }
    const exported = async () => {
      const request = { TableArn: TableDescription?.TableArn, S3Bucket: 'exports' }
      const { ExportDescription } = await client.send(new ExportTableToPointInTimeCommand(request))
      for (;;) {
        const { ExportArn } = ExportDescription ?? {}
        const described = await client.send(new DescribeExportCommand({ ExportArn }))
        if (described.ExportDescription?.ExportStatus !== 'IN_PROGRESS') return described.ExportDescription
        await new Promise(setImmediate)
      }
    }
    expect(await exported()).toMatchObject({
      ExportStatus: 'FAILED',
      FailureCode: 'InternalServerError',
      FailureMessage: expect.stringMatching(/^The disk is full: .* Free some space and start again\.$/),
    })
    expect(readdirSync(join(disk, 'exports', 'AWSDynamoDB'))).toEqual([])
    rmSync(filler)
    expect(await exported()).toMatchObject({ ExportStatus: 'COMPLETED', ItemCount: 4 })
    rmSync(join(disk, 'exports'), { recursive: true })
  },
)

it.skipIf(!isMounted)(
  `an import to a full disk fails with the reason, leaves no table, and can be repeated${skipped}`,
  async () => {
    const buckets = mkdtempSync(join(tmpdir(), 'isotherm-source-'))
    mkdirSync(join(buckets, 'source'))
    const lines = Array.from({ length: 2_000 }, (_, id) => {
      const Item = { id: { S: `${id}` }, noise: { S: randomBytes(500).toString('hex') } }
      return `${JSON.stringify({ Item })}\n`
    })
    writeFileSync(join(buckets, 'source', 'a'), lines.join(''))
    const filler = join(disk, 'filler')
    writeFileSync(filler, Buffer.alloc(61 * 1024 * 1024))
    const warned: unknown[] = []
    const data = join(disk, 'data')
    await using local = createLocal({
      buckets,
      data,
      throttle: false,
      onBug: (error) => warned.push(error),
    })
    const client = local.client({ maxAttempts: 1 })
    const imported = async () => {
      const { ImportTableDescription } = await client.send(
        new ImportTableCommand({
          S3BucketSource: { S3Bucket: 'source' },
          InputFormat: 'DYNAMODB_JSON',
          TableCreationParameters: {
            TableName: 'imported',
            AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
            KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
            BillingMode: 'PAY_PER_REQUEST',
          },
        }),
      )
      for (;;) {
        const { ImportArn } = ImportTableDescription ?? {}
        const described = await client.send(new DescribeImportCommand({ ImportArn }))
        const state = described.ImportTableDescription
        if (state?.ImportStatus !== 'IN_PROGRESS') return state
        await new Promise(setImmediate)
      }
    }
    expect(await imported()).toMatchObject({
      ImportStatus: 'FAILED',
      FailureCode: 'InternalServerError',
      FailureMessage: expect.stringContaining('is full'),
    })
    await expect(client.send(new DescribeTableCommand({ TableName: 'imported' }))).rejects.toThrow(
      'not found',
    )
    expect(warned).not.toEqual([])
    rmSync(filler)
    const ended = await imported()
    expect(ended?.FailureMessage).toBeUndefined()
    expect(ended).toMatchObject({ ImportStatus: 'COMPLETED', ImportedItemCount: 2_000 })
    rmSync(buckets, { recursive: true })
  },
)
