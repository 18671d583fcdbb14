import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { table } from '@isotherm/fixtures'
import { type Clock, SystemClock } from '@isotherm/runtime'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { DirectoryBuckets } from '../buckets/directory-buckets.js'
import { attributes, EngineFixture, keys, REGION } from '../engine/engine.fixture.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { Storage } from '../storage/storage.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-imports-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
function newFolder(): string {
  const path = join(folder, String(count++))
  mkdirSync(path)
  return path
}

const TableName = 'orders'
const TableArn = `arn:aws:dynamodb:${REGION}:000000000000:table/${TableName}`
const S3Bucket = 'source'
const TABLE = {
  TableName,
  AttributeDefinitions: attributes('id', 'state', 'n:N'),
  KeySchema: keys('id', 'n'),
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [
    { IndexName: 'by-state', KeySchema: keys('state'), Projection: { ProjectionType: 'ALL' } },
  ],
}

/** An engine with buckets. */
class Importing {
  readonly directory: string
  readonly fixture: EngineFixture

  /** @param clock one that goes by itself for more than a thousand items: large indexes are filled with pauses. */
  constructor(storage: Storage = new MemoryStorage(), directory = newFolder(), clock?: Clock) {
    this.directory = directory
    const buckets = new DirectoryBuckets(directory)
    const running = clock === undefined ? {} : { clock }
    this.fixture = new EngineFixture({ throttle: false, buckets, storage, ...running })
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

  put(key: string, content: string | Buffer): this {
    const path = join(this.directory, S3Bucket, key)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return this
  }

  request(input: object = {}) {
    return {
      S3BucketSource: { S3Bucket },
      InputFormat: 'DYNAMODB_JSON',
      TableCreationParameters: TABLE,
      ...input,
    }
  }

  async begun(input: object = {}) {
    return (await this.ask('ImportTable', this.request(input))).ImportTableDescription
  }

  /** The description of an import that has ended. */
  async ended(ImportArn: string) {
    for (;;) {
      const { ImportTableDescription } = await this.ask('DescribeImport', { ImportArn })
      if (ImportTableDescription.ImportStatus !== 'IN_PROGRESS') return ImportTableDescription
      await new Promise(setImmediate)
    }
  }

  async imported(input: object = {}) {
    return this.ended((await this.begun(input)).ImportArn)
  }

  async items(name = TableName) {
    const { Items } = await this.ask('Scan', { TableName: name })
    return Items
  }

  noTable(): Promise<string> {
    return this.failure('DescribeTable', { TableName })
  }
}

const NOT_FOUND = `ResourceNotFoundException: Requested resource not found: Table: ${TableName} not found`

const order = (id: string, n: number, more: object = {}) => ({ id: { S: id }, n: { N: String(n) }, ...more })
const line = (item: object) => `${JSON.stringify({ Item: item })}\n`

describe.each([
  { where: 'in memory', open: () => new MemoryStorage() },
  { where: 'on disk', open: (path: string) => new LmdbStorage(path) },
])('an import to a table $where', ({ open }) => {
  it('has all items of all objects, and its indexes', async () => {
    const importing = new Importing(open(join(newFolder(), 'data')), newFolder(), new SystemClock())
    for (let file = 0; file < 3; file++) {
      const lines = Array.from({ length: 900 }, (_, n) =>
        line(order(`o-${file}`, n, { state: { S: `s-${n % 7}` } })),
      )
      importing.put(`data/${file}.json.gz`, gzipSync(lines.join('')))
    }
    const begun = await importing.begun({ InputCompressionType: 'GZIP', ClientToken: 'one' })
    expect(begun).toMatchObject({ ImportStatus: 'IN_PROGRESS', TableArn, ProcessedItemCount: 0 })
    expect((await importing.ask('DescribeTable', { TableName })).Table.TableStatus).toBe('CREATING')
    expect(await importing.failure('GetItem', { TableName, Key: order('o-0', 1) })).toContain(
      'ResourceNotFound',
    )
    expect(await importing.failure('ImportTable', importing.request())).toBe(
      'ResourceInUseException: Table already exists: orders',
    )
    const ended = await importing.ended(begun.ImportArn)
    expect(ended).toEqual({
      ImportArn: begun.ImportArn,
      ImportStatus: 'COMPLETED',
      TableArn,
      TableId: begun.TableId,
      ClientToken: 'one',
      S3BucketSource: { S3BucketOwner: '000000000000', S3Bucket },
      ErrorCount: 0,
      InputFormat: 'DYNAMODB_JSON',
      InputCompressionType: 'GZIP',
      TableCreationParameters: TABLE,
      StartTime: expect.any(Number),
      EndTime: expect.any(Number),
      ProcessedSizeBytes: expect.any(Number),
      ProcessedItemCount: 2_700,
      ImportedItemCount: 2_700,
    })
    const { Table } = await importing.ask('DescribeTable', { TableName })
    expect(Table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: 2_700, TableId: begun.TableId })
    const query = {
      TableName,
      IndexName: 'by-state',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'state' },
      ExpressionAttributeValues: { ':s': { S: 's-3' } },
      Select: 'COUNT',
    }
    expect((await importing.ask('Query', query)).Count).toBe(387)
    await importing.ask('PutItem', { TableName, Item: order('new', 1, { state: { S: 's-3' } }) })
    expect((await importing.ask('Query', query)).Count).toBe(388)
    await importing.fixture.engine.close()
  })

  it('gets back what was exported, with every type', async () => {
    const importing = new Importing(open(join(newFolder(), 'data')), newFolder(), new SystemClock())
    await importing.ask('CreateTable', table('first', ['id']))
    const Item = {
      id: { S: 'all "types"\n\u2028\ud83d\ude00\u0001' },
      number: { N: '-1E-100' },
      bytes: { B: Buffer.from([0, 255]).toString('base64') },
      list: { L: [{ NULL: true }, { BOOL: false }, { M: { 'a.b': { S: '' }, ['__proto__']: { N: '1' } } }] },
      texts: { SS: ['a', 'b'] },
      numbers: { NS: ['1', '2.5'] },
      binaries: { BS: ['AA==', '/w=='] },
    }
    const large = { id: { S: 'large' }, text: { S: '\u0001'.repeat(390_000) } }
    for (const item of [Item, large]) await importing.ask('PutItem', { TableName: 'first', Item: item })
    const { ExportDescription } = await importing.ask('ExportTableToPointInTime', {
      TableArn: TableArn.replace('orders', 'first'),
      S3Bucket,
      S3Prefix: 'exports',
    })
    const { ExportArn } = ExportDescription
    const status = async () =>
      (await importing.ask('DescribeExport', { ExportArn })).ExportDescription.ExportStatus
    while ((await status()) === 'IN_PROGRESS') await new Promise(setImmediate)
    const ended = await importing.imported({
      S3BucketSource: { S3Bucket, S3KeyPrefix: 'exports/AWSDynamoDB/' },
      InputCompressionType: 'GZIP',
      TableCreationParameters: { ...table('second', ['id']) },
    })
    expect(ended).toMatchObject({ ImportStatus: 'COMPLETED', ImportedItemCount: 2 })
    expect(await importing.items('second')).toEqual(await importing.items('first'))
    await importing.fixture.engine.close()
  })

  it('that was closed on the way leaves no table, and has failed', async () => {
    const data = join(newFolder(), 'data')
    const storage = open(data)
    const importing = new Importing(storage, newFolder(), new SystemClock())
    const lines = Array.from({ length: 5_000 }, (_, n) => line(order('o', n)))
    importing.put('a.json', lines.join(''))
    const { ImportArn } = await importing.begun()
    while (
      (await importing.ask('DescribeImport', { ImportArn })).ImportTableDescription.ImportedItemCount === 0
    ) {
      await new Promise(setImmediate)
    }
    const snapshot = storage instanceof MemoryStorage ? importing.fixture.engine.snapshot() : undefined
    await importing.fixture.engine.close()
    const again = new Importing(
      snapshot === undefined ? new LmdbStorage(data) : new MemoryStorage(),
      importing.directory,
      new SystemClock(),
    )
    if (snapshot !== undefined) again.fixture.engine.restore(snapshot)
    expect(await again.noTable()).toBe(NOT_FOUND)
    expect(await again.ended(ImportArn)).toMatchObject({
      ImportStatus: 'FAILED',
      FailureCode: 'InternalServerError',
      FailureMessage: expect.stringContaining('Start it again.'),
    })
    expect((await again.imported()).ImportStatus).toBe('COMPLETED')
    expect((await again.ask('DescribeTable', { TableName })).Table.ItemCount).toBe(5_000)
    await again.fixture.engine.close()
  })
})

describe('an import', () => {
  it('reads an export of the service, and not its manifests', async () => {
    const root = 'AWSDynamoDB/01693685827463-2d8752fd'
    const data = gzipSync(line(order('a', 1)) + line(order('b', 2)))
    const importing = new Importing()
      .put(`${root}/_started`, '')
      .put(`${root}/manifest-files.checksum`, 'x')
      .put(
        `${root}/manifest-files.json`,
        `{"itemCount":2,"dataFileS3Key":"${root}/data/gkes5o3lnrhoznhnkyax3hxvya.json.gz"}\n`,
      )
      .put(`${root}/manifest-summary.checksum`, 'x')
      .put(`${root}/manifest-summary.json`, '{"version":"2020-06-30"}')
      .put(`${root}/data/gkes5o3lnrhoznhnkyax3hxvya.json.gz`, data)
      .put(`${root}/data/bafybeiczss3yxay3o4abnabbb.json.gz`, gzipSync(''))
    const ended = await importing.imported({ InputCompressionType: 'GZIP' })
    expect(ended).toMatchObject({ ImportStatus: 'COMPLETED', ProcessedItemCount: 2, ErrorCount: 0 })
    expect(await importing.items()).toHaveLength(2)
  })

  it('takes the last of several items with one key, and ignores empty lines', async () => {
    const importing = new Importing()
      .put(
        'a.json',
        `\ufeff${line(order('a', 1, { v: { S: 'old' } }))}\r\n\n${line(order('a', 1, { v: { S: 'mid' } }))}`,
      )
      .put('b.json', line(order('a', 1, { v: { S: 'new' }, state: { S: 's' } })).trimEnd())
    expect(await importing.imported()).toMatchObject({ ImportStatus: 'COMPLETED', ImportedItemCount: 3 })
    expect(await importing.items()).toEqual([order('a', 1, { v: { S: 'new' }, state: { S: 's' } })])
    expect((await importing.ask('DescribeTable', { TableName })).Table.ItemCount).toBe(1)
  })

  it('leaves out items that are invalid, says where they are, and keeps all others', async () => {
    const bad: [content: string | Buffer, why: string][] = [
      ['{"Item":', 'The line is not JSON'],
      ['[1]', 'The line has no member Item'],
      [JSON.stringify(order('a', 1)), 'The line has no member Item'],
      ['{"Item":5}', 'Unexpected field type'],
      [line({ id: { S: 'x' } }), 'Missing the key n in the item'],
      [line(order('x', 1, { n: { S: '1' } })), 'Type mismatch for key n expected: N actual: S'],
      [line(order('x', 1, { state: { N: '1' } })), 'Type mismatch for Index Key state'],
      [line(order('', 1)), 'empty string value'],
      [line(order('x', 1, { v: { X: '1' } })), 'Supplied AttributeValue is empty'],
      [line(order('x', 1, { v: { S: 'x'.repeat(410_000) } })), 'Item size has exceeded'],
      [Buffer.from([0x7b, 0xff, 0x7d]), 'not text in UTF-8'],
    ]
    for (const [content, why] of bad) {
      const importing = new Importing().put(
        'x/a.json',
        Buffer.concat([
          Buffer.from(line(order('a', 1))),
          Buffer.from(content),
          Buffer.from(`\n${line(order('b', 2))}`),
        ]),
      )
      const ended = await importing.imported()
      expect(ended, why).toMatchObject({
        ImportStatus: 'FAILED',
        FailureCode: 'ItemValidationError',
        ErrorCount: 1,
        ProcessedItemCount: 3,
        ImportedItemCount: 2,
      })
      expect(ended.FailureMessage).toContain('not imported. The first of them: x/a.json, line 2: ')
      expect(ended.FailureMessage).toContain(why)
      expect((await importing.ask('DescribeTable', { TableName })).Table.TableStatus).toBe('ACTIVE')
      expect(await importing.items()).toHaveLength(2)
    }
  })

  it('skips the rest of an object that cannot be read, and names the cure', async () => {
    const good = gzipSync(line(order('a', 1)))
    const cases = [
      ['GZIP', Buffer.from(line(order('b', 2))), 'Set InputCompressionType to NONE'],
      ['GZIP', gzipSync(line(order('b', 2))).subarray(0, 30), 'or write the object again'],
      ['NONE', good, 'compressed with gzip. Set InputCompressionType to GZIP'],
    ] as const
    for (const [compression, content, why] of cases) {
      const importing = new Importing()
        .put('0', compression === 'GZIP' ? good : line(order('a', 1)))
        .put('1', content)
      const ended = await importing.imported({ InputCompressionType: compression })
      expect(ended).toMatchObject({ ImportStatus: 'FAILED', ErrorCount: 1, ImportedItemCount: 1 })
      expect(ended.FailureMessage).toContain('The first of them: 1: The object ')
      expect(ended.FailureMessage).toContain(why)
    }
  })

  it('reports at most ten errors, each of them short', async () => {
    const importing = new Importing().put('a', `${JSON.stringify({ x: 'y'.repeat(5_000) })}\n`.repeat(500))
    const ended = await importing.imported()
    expect(ended.ErrorCount).toBe(500)
    expect(ended.FailureMessage.length).toBeLessThan(4_000)
  })

  it('of an object without items does not keep the engine from closing', async () => {
    async function* invalid() {
      for (;;) {
        await new Promise(setImmediate)
        yield Buffer.from('no item\n')
      }
    }
    const importing = new Importing()
    importing.put('a.json', '')
    vi.spyOn(DirectoryBuckets.prototype, 'read').mockResolvedValueOnce(Readable.from(invalid()))
    await importing.begun()
    await new Promise(setImmediate)
    await importing.fixture.engine.close()
  })

  it('of nothing, or of a place that cannot be read, leaves no table', async () => {
    const importing = new Importing().put('a/data', line(order('a', 1)))
    symlinkSync(folder, join(importing.directory, 'linked'))
    const cases = [
      [{ S3Bucket: 'nowhere' }, 'S3NoSuchBucket', 'The specified bucket does not exist'],
      [{ S3Bucket, S3KeyPrefix: 'b/' }, 'S3NoSuchKey', 'The bucket source has no folder b'],
      [
        { S3Bucket, S3KeyPrefix: 'a/x' },
        'S3NoSuchKey',
        "No object with data has a key that begins with 'a/x'",
      ],
      [{ S3Bucket: 'linked' }, 'S3AccessDenied', 'is a link'],
    ] as const
    for (const [S3BucketSource, code, why] of cases) {
      const ended = await importing.imported({ S3BucketSource })
      expect(ended).toMatchObject({ ImportStatus: 'FAILED', FailureCode: code, ProcessedItemCount: 0 })
      expect(ended.FailureMessage).toContain(why)
      expect(await importing.noTable()).toBe(NOT_FOUND)
    }
    expect(
      [...importing.fixture.storage.records()].filter(([name]) => /^(table|restoring)/.test(name)),
    ).toEqual([])
    expect((await importing.imported()).ImportStatus).toBe('COMPLETED')
  })

  it('is listed, and begun once by requests with the same token', async () => {
    const importing = new Importing().put('a', line(order('a', 1)))
    const first = await importing.imported({ ClientToken: 'one' })
    expect(await importing.begun({ ClientToken: 'one' })).toEqual(first)
    expect(
      await importing.failure('ImportTable', importing.request({ ClientToken: 'one', InputFormat: 'CSV' })),
    ).toContain(`ImportConflictException: The ClientToken one belongs to the import ${first.ImportArn}`)
    const summary = {
      ImportArn: first.ImportArn,
      ImportStatus: 'COMPLETED',
      TableArn,
      S3BucketSource: first.S3BucketSource,
      InputFormat: 'DYNAMODB_JSON',
      StartTime: 1_800_000_000,
      EndTime: 1_800_000_000,
    }
    expect(await importing.ask('ListImports', {})).toEqual({ ImportSummaryList: [summary] })
    expect(await importing.ask('ListImports', { TableArn: `${TableArn}x` })).toEqual({
      ImportSummaryList: [],
    })
    await importing.imported({ TableCreationParameters: { ...TABLE, TableName: 'other' } })
    const { ImportSummaryList, NextToken } = await importing.ask('ListImports', { PageSize: 1 })
    expect(ImportSummaryList).toHaveLength(1)
    expect((await importing.ask('ListImports', { NextToken })).ImportSummaryList).toHaveLength(1)
    importing.fixture.restart()
    const missing = `${TableArn}/import/00000000000000-00000000`
    expect(await importing.failure('DescribeImport', { ImportArn: missing })).toBe(
      `ImportNotFoundException: Import not found: ${missing}`,
    )
  })

  it('consumes no capacity', async () => {
    const buckets = new DirectoryBuckets(newFolder())
    mkdirSync(join(buckets.directory, S3Bucket))
    const lines = Array.from({ length: 3_000 }, (_, n) => line(order('hot', n)))
    writeFileSync(join(buckets.directory, S3Bucket, 'a'), lines.join(''))
    const fixture = new EngineFixture({ throttle: true, buckets, clock: new SystemClock() })
    const { ImportTableDescription } = fixture.ask('ImportTable', {
      S3BucketSource: { S3Bucket },
      InputFormat: 'DYNAMODB_JSON',
      TableCreationParameters: TABLE,
    })
    const { ImportArn } = ImportTableDescription
    const state = () => fixture.ask('DescribeImport', { ImportArn }).ImportTableDescription
    while (state().ImportStatus === 'IN_PROGRESS') await new Promise(setImmediate)
    expect(state().ImportedItemCount).toBe(3_000)
    fixture.ask('PutItem', { TableName, Item: order('hot', 5_000) })
  })

  it.each([
    ['Ion', { InputFormat: 'ION' }, 'this engine reads DYNAMODB_JSON and CSV only'],
    ['zstd', { InputCompressionType: 'ZSTD' }, 'this engine reads GZIP and NONE only'],
    ['options of CSV for JSON', { InputFormatOptions: { Csv: {} } }, 'InputFormatOptions.Csv is given'],
    [
      'a prefix that leads up',
      { S3BucketSource: { S3Bucket, S3KeyPrefix: '../x' } },
      "S3KeyPrefix is '../x'; no part",
    ],
    ['a zero byte', { S3BucketSource: { S3Bucket, S3KeyPrefix: 'a\u0000' } }, 'a zero byte'],
    [
      'a bucket that is a path',
      { S3BucketSource: { S3Bucket: '../x' } },
      "at 's3BucketSource.s3Bucket' failed",
    ],
    [
      'a table without a key',
      { TableCreationParameters: { ...TABLE, KeySchema: [] } },
      'ValidationException',
    ],
    [
      'vector indexes',
      { TableCreationParameters: { ...TABLE, VectorIndexes: [] } },
      'The parameter VectorIndexes',
    ],
    [
      'a long delimiter',
      { InputFormat: 'CSV', InputFormatOptions: { Csv: { Delimiter: ';;' } } },
      'delimiter',
    ],
  ])('is refused for %s', async (_, input, text) => {
    const importing = new Importing().put('a', line(order('a', 1)))
    expect(await importing.failure('ImportTable', importing.request(input))).toContain(text)
    expect(await importing.ask('ListTables', {})).toEqual({ TableNames: [] })
    expect(await importing.ask('ListImports', {})).toEqual({ ImportSummaryList: [] })
  })

  it('needs buckets, and says how to get them', () => {
    const fixture = new EngineFixture()
    const request = { S3BucketSource: { S3Bucket }, InputFormat: 'CSV', TableCreationParameters: TABLE }
    expect(fixture.failure('ImportTable', request)).toBe(
      'ValidationException: This engine has no directory for S3 buckets, so it cannot import; nothing was done. Set the option buckets of createLocal, or --buckets of isotherm local.',
    )
    expect(fixture.ask('ListImports', {})).toEqual({ ImportSummaryList: [] })
  })
})

describe('an import of CSV', () => {
  const csv = (content: string) => new Importing().put('a.csv', content).imported({ InputFormat: 'CSV' })

  it('has keys of their types, and all other columns as strings', async () => {
    const importing = new Importing().put(
      'a.csv',
      '\ufeffid,n,state,count,text\r\na,1,open,5,"x, ""y""\nz"\r\nb,-2.50,done,,ü\r\n\r\n',
    )
    const ended = await importing.imported({ InputFormat: 'CSV' })
    expect(ended).toMatchObject({
      ImportStatus: 'COMPLETED',
      ProcessedItemCount: 2,
      InputFormatOptions: { Csv: { Delimiter: ',' } },
    })
    const items = await importing.items()
    expect(items).toHaveLength(2)
    expect(items).toEqual(
      expect.arrayContaining([
        { id: { S: 'a' }, n: { N: '1' }, state: { S: 'open' }, count: { S: '5' }, text: { S: 'x, "y"\nz' } },
        { id: { S: 'b' }, n: { N: '-2.5' }, state: { S: 'done' }, count: { S: '' }, text: { S: 'ü' } },
      ]),
    )
  })

  it('has the delimiter and the names of the request', async () => {
    const importing = new Importing().put('a.csv.gz', gzipSync('a;1\nb;2\n'))
    const Csv = { Delimiter: ';', HeaderList: ['id', 'n'] }
    const ended = await importing.imported({
      InputFormat: 'CSV',
      InputFormatOptions: { Csv },
      InputCompressionType: 'GZIP',
    })
    expect(ended).toMatchObject({
      ImportStatus: 'COMPLETED',
      ImportedItemCount: 2,
      InputFormatOptions: { Csv },
    })
    expect(await importing.items()).toEqual(expect.arrayContaining([order('a', 1), order('b', 2)]))
  })

  it.each([
    [
      'too many columns',
      'id,n\na,1\nb,2,3\nc,3\n',
      'a.csv, line 3: The row has 3 columns, and the header has 2',
      2,
    ],
    ['no number', 'id,n\na,1\nb,x\nc,3\n', 'a.csv, line 3: ', 2],
    ['an empty key', 'id,n\n,1\nb,2\n', 'a.csv, line 2: ', 1],
    ['an empty key of an index', 'id,n,state\na,1,\nb,2,open\n', 'a.csv, line 2: ', 1],
    ['a quote that does not end', 'id,n\na,1\n"b,2\n', 'Quote Not Closed', 1],
    ['a quote inside a cell', 'id,n\na,1\nb",2\nc,3\n', 'Invalid Opening Quote', 2],
    ['two columns of one name', 'id,id\na,1\n', "a.csv: The first line has two columns 'id'", 0],
    ['a column without a name', 'id,\na,1\n', 'a.csv: The first line has a column without a name', 0],
    [
      'another key',
      'name\na\n',
      'a.csv, line 2: One or more parameter values were invalid: Missing the key id',
      0,
    ],
  ])('leaves out a row with %s', async (_, content, why, imported) => {
    const ended = await csv(content)
    expect(ended).toMatchObject({ ImportStatus: 'FAILED', FailureCode: 'ItemValidationError' })
    expect(ended.FailureMessage).toContain(why)
    expect([ended.ErrorCount, ended.ImportedItemCount]).toEqual([1, imported])
  })

  it('of many rows has all of them', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `id-${n % 10},${n},${'x'.repeat(n % 50)}`)
    const importing = new Importing(new MemoryStorage(), newFolder(), new SystemClock())
    importing.put('a.csv', `id,n,text\n${rows.join('\n')}`)
    const ended = await importing.imported({ InputFormat: 'CSV' })
    expect(ended).toMatchObject({ ImportStatus: 'COMPLETED', ImportedItemCount: 20_000 })
  })
})
