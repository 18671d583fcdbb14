import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { table } from '@isotherm/fixtures'
import { SystemClock } from '@isotherm/runtime'
import { afterAll, describe, expect, it } from 'vitest'
import { DirectoryBuckets } from '../buckets/directory-buckets.js'
import { EngineFixture, REGION } from '../engine/engine.fixture.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { Storage } from '../storage/storage.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-exports-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
function newFolder(): string {
  const path = join(folder, String(count++))
  mkdirSync(path)
  return path
}

const TableName = 'orders'
const TableArn = `arn:aws:dynamodb:${REGION}:000000000000:table/${TableName}`
const S3Bucket = 'exports'

/** An engine with buckets, and a table with some items. */
class Exporting {
  readonly directory = newFolder()
  readonly fixture: EngineFixture

  constructor(storage: Storage = new MemoryStorage()) {
    const buckets = new DirectoryBuckets(this.directory)
    this.fixture = new EngineFixture({ throttle: false, buckets, storage })
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers without declaring their shapes.
  async ask(operation: string, input: object): Promise<any> {
    return await this.fixture.engine.execute(operation, input, REGION)
  }

  failure(operation: string, input: object): Promise<string> {
    return this.ask(operation, input).then(
      () => {
        throw new Error(`${operation} was expected to fail.`)
      },
      (error: Error) => `${error.name}: ${error.message}`,
    )
  }

  put(number: number, more: object = {}) {
    return this.ask('PutItem', { TableName, Item: { id: { S: `order-${number}` }, ...more } })
  }

  async fill(items: number): Promise<this> {
    await this.ask('CreateTable', table(TableName, ['id']))
    await Promise.all(Array.from({ length: items }, (_, number) => this.put(number, { n: { N: '1' } })))
    return this
  }

  export(input: object = {}) {
    return this.ask('ExportTableToPointInTime', { TableArn, S3Bucket, ...input })
  }

  /** The description of an export that has ended. */
  async ended(ExportArn: string) {
    for (;;) {
      const { ExportDescription } = await this.ask('DescribeExport', { ExportArn })
      if (ExportDescription.ExportStatus !== 'IN_PROGRESS') return ExportDescription
      await new Promise(setImmediate)
    }
  }

  /** Exports the table. @returns the description, and the exported items */
  async exported(input: object = {}) {
    const { ExportDescription } = await this.export(input)
    const ended = await this.ended(ExportDescription.ExportArn)
    expect(ended.FailureMessage).toBeUndefined()
    return { description: ended, items: this.itemsOf(ended) }
  }

  read(key: string): Buffer {
    return readFileSync(join(this.directory, S3Bucket, key))
  }

  /** Follows the manifests as a reader of an export does. */
  itemsOf({ ExportManifest }: { readonly ExportManifest: string }): Record<string, object>[] {
    const summary = JSON.parse(this.read(ExportManifest).toString())
    const files = jsonLines(this.read(summary.manifestFilesS3Key).toString())
    return files.flatMap(({ dataFileS3Key, itemCount, md5Checksum }) => {
      const data = this.read(dataFileS3Key)
      expect(createHash('md5').update(data).digest('base64')).toBe(md5Checksum)
      const lines = jsonLines(gunzipSync(data).toString())
      expect(lines).toHaveLength(itemCount)
      return lines.map(({ Item }) => Item)
    })
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the lines of an export have several shapes.
function jsonLines(text: string): any[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

describe.each([
  { where: 'in memory', open: () => new MemoryStorage() },
  { where: 'on disk', open: () => new LmdbStorage(join(newFolder(), 'data')) },
])('an export of a table $where', ({ open }) => {
  it('shows the moment of its request, whatever is written while it is made', async () => {
    const exporting = await new Exporting(open()).fill(2_500)
    const { ExportDescription } = await exporting.export()
    expect(ExportDescription.ExportStatus).toBe('IN_PROGRESS')
    await Promise.all([
      ...Array.from({ length: 500 }, (_, number) => exporting.put(number, { n: { N: '2' } })),
      ...Array.from({ length: 500 }, (_, number) => exporting.put(5_000 + number)),
      ...Array.from({ length: 200 }, (_, number) =>
        exporting.ask('DeleteItem', { TableName, Key: { id: { S: `order-${1_000 + number}` } } }),
      ),
    ])
    const ended = await exporting.ended(ExportDescription.ExportArn)
    const items = exporting.itemsOf(ended)
    expect(items).toHaveLength(2_500)
    expect(items.every(({ n }) => JSON.stringify(n) === '{"N":"1"}')).toBe(true)
    expect(new Set(items.map(({ id }) => JSON.stringify(id))).size).toBe(2_500)
    expect((await exporting.ask('DescribeTable', { TableName })).Table.ItemCount).toBe(2_800)
    await exporting.fixture.engine.close()
  })

  it('ends when the engine is closed, and leaves nothing in the bucket', async () => {
    const exporting = await new Exporting(open()).fill(2_500)
    await exporting.export()
    await exporting.fixture.engine.close()
    const left = readdirSync(exporting.directory, { recursive: true, encoding: 'utf8' })
    expect(left.filter((name) => name.includes('-'))).toEqual([])
  })
})

describe('an export', () => {
  it('has the layout of the service', async () => {
    const exporting = await new Exporting().fill(10)
    const { description, items } = await exporting.exported({ S3Prefix: '2026/Nov', S3SseAlgorithm: 'KMS' })
    const id = description.ExportArn.split('/').at(-1)
    expect(id).toMatch(/^\d{14}-[0-9a-f]{8}$/)
    const root = `2026/Nov/AWSDynamoDB/${id}`
    expect(description).toMatchObject({
      ExportStatus: 'COMPLETED',
      TableArn,
      S3Bucket,
      S3Prefix: '2026/Nov',
      S3SseAlgorithm: 'KMS',
      ExportFormat: 'DYNAMODB_JSON',
      ExportType: 'FULL_EXPORT',
      ExportManifest: `${root}/manifest-summary.json`,
      ItemCount: 10,
      ExportTime: 1_800_000_000,
    })
    const files = readdirSync(join(exporting.directory, S3Bucket, root)).sort()
    expect(files).toEqual([
      '_started',
      'data',
      'manifest-files.checksum',
      'manifest-files.json',
      'manifest-summary.checksum',
      'manifest-summary.json',
    ])
    const summary = exporting.read(`${root}/manifest-summary.json`)
    const { Table } = await exporting.ask('DescribeTable', { TableName })
    expect(JSON.parse(summary.toString())).toEqual({
      version: '2020-06-30',
      exportArn: description.ExportArn,
      startTime: '2027-01-15T08:00:00.000Z',
      endTime: '2027-01-15T08:00:00.000Z',
      tableArn: TableArn,
      tableId: Table.TableId,
      exportTime: '2027-01-15T08:00:00.000Z',
      s3Bucket: S3Bucket,
      s3Prefix: '2026/Nov',
      s3SseAlgorithm: 'KMS',
      s3SseKmsKeyId: null,
      manifestFilesS3Key: `${root}/manifest-files.json`,
      billedSizeBytes: Table.TableSizeBytes,
      itemCount: 10,
      outputFormat: 'DYNAMODB_JSON',
    })
    expect(exporting.read(`${root}/manifest-summary.checksum`).toString()).toBe(
      createHash('md5').update(summary).digest('base64'),
    )
    // One object for each partition, also for one without items.
    const partitions = exporting.fixture.engine.partitions(REGION, TableName)
    expect(readdirSync(join(exporting.directory, S3Bucket, root, 'data'))).toHaveLength(
      partitions?.length ?? 0,
    )
    expect(items).toHaveLength(10)
  })

  it('keeps every type', async () => {
    const exporting = await new Exporting().fill(0)
    const Item = {
      id: { S: 'all "types"\n\u2028\ud83d\ude00' },
      number: { N: '1E-100' },
      bytes: { B: Buffer.from([0, 255]).toString('base64') },
      list: { L: [{ NULL: true }, { BOOL: false }, { M: { 'a.b': { S: '' } } }] },
      texts: { SS: ['a', 'b'] },
      numbers: { NS: ['1', '2.5'] },
      binaries: { BS: ['AA==', '/w=='] },
    }
    await exporting.ask('PutItem', { TableName, Item })
    const { Item: stored } = await exporting.ask('GetItem', { TableName, Key: { id: Item.id } })
    const { items } = await exporting.exported()
    expect(items).toEqual([JSON.parse(JSON.stringify(stored))])
  })

  it('is listed, by table and in pages', async () => {
    const exporting = await new Exporting().fill(1)
    const arns: string[] = []
    for (let each = 0; each < 3; each++) {
      arns.unshift((await exporting.exported()).description.ExportArn)
      await exporting.fixture.clock.advance(1_000)
    }
    const list = (input: object) => exporting.ask('ListExports', input)
    const { ExportSummaries, NextToken } = await list({ TableArn, MaxResults: 2 })
    const summary = { ExportStatus: 'COMPLETED', ExportType: 'FULL_EXPORT' }
    expect(ExportSummaries).toEqual(arns.slice(0, 2).map((ExportArn) => ({ ExportArn, ...summary })))
    expect(await list({ TableArn, NextToken })).toEqual({
      ExportSummaries: [{ ExportArn: arns[2], ...summary }],
    })
    expect((await list({})).ExportSummaries).toHaveLength(3)
    expect(await list({ TableArn: `${TableArn}-2` })).toEqual({ ExportSummaries: [] })
    expect(await exporting.failure('ListExports', { NextToken: 'x' })).toContain(
      "NextToken is 'x'; it must be",
    )
    exporting.fixture.restart()
    expect((await list({})).ExportSummaries).toHaveLength(3)
    await exporting.fixture.clock.advance(91 * 24 * 3600 * 1000)
    expect((await list({})).ExportSummaries).toEqual([])
    expect(await exporting.failure('DescribeExport', { ExportArn: arns[0] ?? '' })).toBe(
      `ExportNotFoundException: Export not found: ${arns[0]}`,
    )
  })

  it('is begun once by requests with the same token', async () => {
    const exporting = await new Exporting().fill(1)
    const again = { ClientToken: 'token', S3Prefix: 'a' }
    const { description } = await exporting.exported(again)
    expect((await exporting.export(again)).ExportDescription).toEqual(description)
    expect((await exporting.ask('ListExports', {})).ExportSummaries).toHaveLength(1)
    const other = { TableArn, S3Bucket, ClientToken: 'token', S3Prefix: 'b' }
    expect(await exporting.failure('ExportTableToPointInTime', other)).toBe(
      `ExportConflictException: The ClientToken token belongs to the export ${description.ExportArn}, whose request was another one. Use a new token for another request.`,
    )
    await exporting.fixture.clock.advance(8 * 3600 * 1000)
    expect((await exporting.export(other)).ExportDescription.ExportStatus).toBe('IN_PROGRESS')
  })

  it.each([
    [
      'a table that does not exist',
      { TableArn: `${TableArn}s` },
      'TableNotFoundException: Table not found: orderss',
    ],
    ['another format', { ExportFormat: 'ION' }, 'this engine writes DYNAMODB_JSON only'],
    ['changes', { ExportType: 'INCREMENTAL_EXPORT' }, 'this engine keeps no history of changes'],
    [
      'an earlier time',
      { ExportTime: 1_799_999_000 },
      'InvalidExportTimeException: ExportTime is 1799999000;',
    ],
    ['a time beyond all calendars', { ExportTime: 1e300 }, 'InvalidExportTimeException'],
    [
      'a text as time',
      { ExportTime: 'now' },
      'SerializationException: ExportTime must be a number of seconds since 1970',
    ],
    [
      'a prefix that leads up',
      { S3Prefix: 'a/../../x' },
      "S3Prefix is 'a/../../x'; no part between slashes may be '..'",
    ],
    ['a zero byte', { S3Prefix: 'a\u0000' }, 'it must not contain a zero byte'],
    ['a backslash', { S3Prefix: 'a\\..\\b' }, 'it must not contain a backslash'],
    ['an absolute prefix', { S3Prefix: '/tmp' }, 'it must not begin with a slash'],
    [
      'a bucket that is a path',
      { S3Bucket: '../x' },
      "Value '../x' at 's3Bucket' failed to satisfy constraint",
    ],
    [
      'a filter',
      { FilterSpecification: {} },
      'The parameter FilterSpecification is not supported by this engine yet',
    ],
  ])('is refused for %s', async (_, input, text) => {
    const exporting = await new Exporting().fill(1)
    const request = { TableArn, S3Bucket, ...input }
    expect(await exporting.failure('ExportTableToPointInTime', request)).toContain(text)
    expect(readdirSync(exporting.directory)).toEqual([])
    expect((await exporting.ask('ListExports', {})).ExportSummaries).toEqual([])
  })

  it('of this second has the time of the request', async () => {
    const exporting = await new Exporting().fill(1)
    const { description } = await exporting.exported({ ExportTime: 1_799_999_999.5 })
    expect(description.ExportTime).toBe(1_800_000_000)
  })

  it('needs buckets, and says how to get them', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', table(TableName, ['id']))
    expect(fixture.failure('ExportTableToPointInTime', { TableArn, S3Bucket })).toBe(
      'ValidationException: This engine has no directory for S3 buckets, so it cannot export; nothing was done. Set the option buckets of createLocal, or --buckets of isotherm local.',
    )
    expect(fixture.ask('ListExports', {})).toEqual({ ExportSummaries: [] })
  })

  it('fails with a reason when the bucket cannot be written', async () => {
    const exporting = await new Exporting().fill(1)
    symlinkSync(folder, join(exporting.directory, 'linked'))
    writeFileSync(join(exporting.directory, 'taken'), '')
    for (const [bucket, message] of [
      ['linked', 'is a link, and the engine follows no links in buckets. Put linked itself there.'],
      ['taken', 'The bucket taken has no folder'],
    ] as const) {
      const { ExportDescription } = await exporting.export({ S3Bucket: bucket })
      const ended = await exporting.ended(ExportDescription.ExportArn)
      expect(ended).toMatchObject({ ExportStatus: 'FAILED', EndTime: 1_800_000_000 })
      expect(ended.FailureCode).toMatch(/^S3/)
      expect(ended.FailureMessage).toContain(message)
      expect(ended.ExportManifest).toBeUndefined()
    }
    expect(existsSync(join(folder, 'AWSDynamoDB'))).toBe(false)
  })

  it('that a process has left unfinished has failed, and its files are removed', async () => {
    const exporting = await new Exporting().fill(2_000)
    const { ExportArn } = (await exporting.export()).ExportDescription
    const id = ExportArn.split('/').at(-1)
    const part = join(exporting.directory, S3Bucket, 'AWSDynamoDB', `${id}.isotherm-part`)
    const snapshot = exporting.fixture.engine.snapshot()
    mkdirSync(part, { recursive: true })
    writeFileSync(join(part, 'left'), '')
    exporting.fixture.engine.restore(snapshot)
    const { ExportDescription } = await exporting.ask('DescribeExport', { ExportArn })
    expect(ExportDescription).toMatchObject({
      ExportStatus: 'FAILED',
      FailureCode: 'InternalServerError',
      FailureMessage: expect.stringContaining('Start it again.'),
    })
    await exporting.fixture.engine.close()
    expect(readdirSync(join(exporting.directory, S3Bucket, 'AWSDynamoDB'))).toEqual([])
  })

  it('whose folder a process has published without saving its record is complete', async () => {
    const exporting = await new Exporting().fill(3)
    const { ExportArn } = (await exporting.export()).ExportDescription
    const snapshot = exporting.fixture.engine.snapshot()
    const description = await exporting.ended(ExportArn)
    exporting.fixture.engine.restore(snapshot)
    expect(await exporting.ask('DescribeExport', { ExportArn })).toEqual({ ExportDescription: description })
    expect(exporting.itemsOf(description)).toHaveLength(3)
  })

  it.each([
    ['of another export', '{"exportArn":"another","itemCount":3,"billedSizeBytes":3,"endTime":"2026-11-24"}'],
    ['that is no JSON', 'nothing'],
    ['without its end', ''],
  ])('has failed if its folder has a summary %s', async (_, summary) => {
    const exporting = await new Exporting().fill(3)
    const { ExportArn } = (await exporting.export()).ExportDescription
    const snapshot = exporting.fixture.engine.snapshot()
    const { ExportManifest } = await exporting.ended(ExportArn)
    const path = join(exporting.directory, S3Bucket, ExportManifest)
    const whole = exporting.read(ExportManifest).toString()
    writeFileSync(path, summary === '' ? whole.replace(/"endTime":"[^"]*"/, '"endTime":"never"') : summary)
    exporting.fixture.engine.restore(snapshot)
    expect(await exporting.ask('DescribeExport', { ExportArn })).toMatchObject({
      ExportDescription: { ExportStatus: 'FAILED' },
    })
  })

  it('of more than 50 at once is refused', async () => {
    const exporting = await new Exporting().fill(1)
    const begun = await Promise.all(Array.from({ length: 50 }, () => exporting.export()))
    expect(await exporting.failure('ExportTableToPointInTime', { TableArn, S3Bucket })).toContain(
      'LimitExceededException: Subscriber limit exceeded: at most 50 exports',
    )
    for (const { ExportDescription } of begun) await exporting.ended(ExportDescription.ExportArn)
    expect((await exporting.exported()).items).toHaveLength(1)
  })
})

it('an export on disk is judged only by an engine that has its buckets', async () => {
  const data = join(newFolder(), 'data')
  const first = await new Exporting(new LmdbStorage(data)).fill(5)
  const { ExportArn: arn } = (await first.export()).ExportDescription
  await first.fixture.engine.close()
  const openWith = (buckets: DirectoryBuckets | undefined) =>
    new EngineFixture({ storage: new LmdbStorage(data), clock: new SystemClock(), buckets }).engine
  const without = openWith(undefined)
  expect(await without.execute('DescribeExport', { ExportArn: arn }, REGION)).toMatchObject({
    ExportDescription: { ExportStatus: 'FAILED' },
  })
  await without.close()
  const summary = {
    exportArn: arn,
    itemCount: 5,
    billedSizeBytes: 70,
    endTime: '2026-11-24T00:00:00.000Z',
  }
  const path = join(first.directory, S3Bucket, 'AWSDynamoDB', arn.split('/').at(-1) ?? '')
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'manifest-summary.json'), JSON.stringify(summary))
  const again = openWith(new DirectoryBuckets(first.directory))
  expect(await again.execute('DescribeExport', { ExportArn: arn }, REGION)).toMatchObject({
    ExportDescription: { ExportStatus: 'COMPLETED', ItemCount: 5, BilledSizeBytes: 70 },
  })
  await again.close()
  const last = openWith(undefined)
  expect(await last.execute('DescribeExport', { ExportArn: arn }, REGION)).toMatchObject({
    ExportDescription: { ExportStatus: 'COMPLETED', ItemCount: 5 },
  })
  await last.close()
})

it('an export on disk outlives the process if it was complete', async () => {
  const data = join(newFolder(), 'data')
  const first = await new Exporting(new LmdbStorage(data)).fill(5)
  const { description } = await first.exported()
  const { ExportArn } = (await first.export()).ExportDescription
  await first.fixture.engine.close()
  const clock = new SystemClock()
  const { engine } = new EngineFixture({ storage: new LmdbStorage(data), clock })
  const again = await engine.execute('DescribeExport', { ExportArn: description.ExportArn }, REGION)
  expect(again).toEqual({ ExportDescription: description })
  expect(await engine.execute('DescribeExport', { ExportArn }, REGION)).toMatchObject({
    ExportDescription: { ExportStatus: 'FAILED', FailureMessage: expect.stringContaining('Start it again.') },
  })
  await engine.close()
})
