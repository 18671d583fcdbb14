import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DescribeExportCommand,
  ExportTableToPointInTimeCommand,
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
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'ignore' })
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
    writeFileSync(filler, Buffer.alloc(1024 * 1024))
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
  },
)
