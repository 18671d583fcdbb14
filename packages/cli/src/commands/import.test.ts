import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  DescribeExportCommand,
  DescribeTableCommand,
  ExportTableToPointInTimeCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm, isothermInTerminal } from '../isotherm.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-import-'))
const local = createLocal({ throttle: false, buckets: folder })
const client = local.client()
let endpoint = ''
const fileOf = (name: string, text: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const run = (...args: string[]) => isotherm(...args, '--endpoint', endpoint)
const countOf = async (TableName: string) =>
  (await client.send(new ScanCommand({ TableName, Select: 'COUNT' }))).Count

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  for (const name of ['source', 'target', 'odd', 'plain', 'cells', 'aws', 'copy', 'twice', 'none', 'long']) {
    await client.send(createTable(name, ['pk', 'sk:N']))
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await local.close()
})

const ODD = {
  pk: { S: 'ordér ☃' },
  sk: { N: '12345678901234567890123456789012345678' },
  raw: { B: new Uint8Array([0, 255]) },
  set: { BS: [new Uint8Array([1]), new Uint8Array([2])] },
  // Names and texts that look like types.
  B: { S: 'text' },
  deep: { L: [{ M: { B: { B: new Uint8Array([3]) }, S: { NULL: true } } }] },
}

describe('isotherm export and import', () => {
  it('carry every value from a table to another, compressed or not', async () => {
    await client.send(new PutItemCommand({ TableName: 'odd', Item: ODD }))
    for (const name of ['odd.jsonl', 'odd.json.gz']) {
      const file = join(folder, name)
      expect(await run('export', file, '--table', 'odd')).toEqual({
        code: 0,
        out: `1 items of odd written to ${file}.\n`,
        err: '',
      })
      const { out } = await run('import', file, '--table', 'copy', '--json')
      expect(JSON.parse(out)).toMatchObject({ table: 'copy', items: 1 })
      const Key = { pk: ODD.pk, sk: ODD.sk }
      const { Item } = await client.send(new GetItemCommand({ TableName: 'copy', Key }))
      expect(Item).toEqual(ODD)
    }
  })

  it('read lines of plain JSON, several batches of them', async () => {
    const lines = Array.from({ length: 130 }, (_, sk) =>
      JSON.stringify({ pk: 'a', sk, tags: ['x'], open: true }),
    )
    const file = fileOf('plain.jsonl', `${lines.join('\r\n')}\n\n`)
    expect((await run('import', file, '--table', 'plain', '--dry-run')).out).toBe(`130 items in ${file}.\n`)
    expect(await countOf('plain')).toBe(0)
    expect((await run('import', file, '--table', 'plain')).out).toBe('130 items written to plain.\n')
    expect(await countOf('plain')).toBe(130)
    const plain = join(folder, 'plain-again.jsonl')
    await run('export', plain, '--table', 'plain', '--format', 'jsonl')
    expect(JSON.parse(readFileSync(plain, 'utf8').split('\n')[0] ?? '')).toMatchObject({
      pk: 'a',
      tags: ['x'],
    })
  })

  it('read a file that begins with a byte order mark', async () => {
    const file = fileOf('marked.jsonl', '\ufeff{"pk":"marked","sk":1}\n{"pk":"marked","sk":2}\n')
    expect((await run('import', file, '--table', 'plain')).out).toBe('2 items written to plain.\n')
  })

  it('change no digit of a number: plain JSON that would is refused, and has long numbers as texts', async () => {
    const file = (price: string) =>
      fileOf('long.jsonl', `{"pk":"long","sk":1,"id":"00000000000000000000.5","price":${price}}`)
    for (const price of [
      '1234567890123456.78',
      '12345678901234567890',
      '12345678901234567168',
      '-0.12345678901234567890123',
    ]) {
      const { code, err } = await run('import', file(price), '--table', 'plain')
      expect(err).toContain(`line 1, has a value that no item can have: the number ${price} has more digits`)
      expect(code).toBe(1)
    }
    const stored = async (price: string) => {
      expect(await run('import', file(price), '--table', 'plain')).toMatchObject({ code: 0, err: '' })
      const Key = { pk: { S: 'long' }, sk: { N: '1' } }
      const { Item = {} } = await client.send(new GetItemCommand({ TableName: 'plain', Key }))
      return Item.price
    }
    expect(await stored('0.30000000000000004')).toEqual({ N: '0.30000000000000004' })
    // A floating-point number as other languages print it.
    expect(await stored('0.10000000000000001')).toEqual({ N: '0.1' })
    expect(await stored('1.000000000000000056e-01')).toEqual({ N: '0.1' })
    const Item = {
      pk: { S: 'long' },
      sk: { N: '1' },
      price: { N: '1234567890123456.78' },
      share: { N: '0.5' },
      // More than JavaScript's whole numbers, and all the same one of its numbers.
      large: { M: { numbers: { L: [{ N: '100000000000000000000' }] } } },
    }
    await client.send(new PutItemCommand({ TableName: 'long', Item }))
    const exported = join(folder, 'long-again.jsonl')
    expect(await run('export', exported, '--table', 'long', '--format', 'jsonl')).toMatchObject({ code: 0 })
    expect(readFileSync(exported, 'utf8')).toContain('"price":"1234567890123456.78"')
    expect(readFileSync(exported, 'utf8')).toContain('"share":0.5')
    expect(await run('import', exported, '--table', 'long')).toMatchObject({ code: 0, err: '' })
    const read = await client.send(
      new GetItemCommand({ TableName: 'long', Key: { pk: Item.pk, sk: Item.sk } }),
    )
    expect(read.Item?.large).toEqual(Item.large)
  })

  it('show their progress in a terminal, and leave nothing of it there', async () => {
    await client.send(new PutItemCommand({ TableName: 'odd', Item: ODD }))
    const file = join(folder, 'shown.jsonl')
    for (const args of [
      ['export', file, '--table', 'odd'],
      ['import', file, '--table', 'copy'],
    ]) {
      const { code, err } = await isothermInTerminal(...args, '--endpoint', endpoint)
      expect(code).toBe(0)
      expect(err).toContain('1 items')
      // The last that it does is to erase the line, and to show the cursor.
      expect(err.endsWith('\r\u001B[J\u001B[?25h')).toBe(true)
    }
  })

  it('read CSV, whose keys have the types of the table', async () => {
    const file = fileOf('cells.csv', '\ufeffpk,sk,zip,price,note\n7,1,01067,12.5,"a, ""b""\nc"\n8,2,,0,\n')
    expect((await run('import', file, '--table', 'cells')).code).toBe(0)
    const { Items } = await client.send(new ScanCommand({ TableName: 'cells' }))
    expect(Items).toHaveLength(2)
    expect(Items).toContainEqual({
      pk: { S: '7' },
      sk: { N: '1' },
      zip: { S: '01067' },
      price: { N: '12.5' },
      note: { S: 'a, "b"\nc' },
    })
    expect(Items).toContainEqual({ pk: { S: '8' }, sk: { N: '2' }, price: { N: '0' } })
  })

  it('leave the last of the items that have the same key, in one batch or several', async () => {
    const lines = Array.from({ length: 400 }, (_, at) =>
      // The number of a key may be written in several ways.
      JSON.stringify({
        pk: { S: 'a' },
        sk: { N: `${at % 30}${at % 60 < 30 ? '' : '.0'}` },
        at: { N: `${at}` },
      }),
    )
    const file = fileOf('twice.jsonl', lines.join('\n'))
    expect((await run('import', file, '--table', 'twice')).out).toBe('400 items written to twice.\n')
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'twice' }))
    const kept = Items.map(({ at }) => Number(at?.N)).sort((one, other) => one - other)
    expect(kept).toEqual(Array.from({ length: 30 }, (_, at) => 370 + at))
  })

  it('read the folder of an export of AWS', async () => {
    const place = join(folder, '01700000000000-abcdef12')
    mkdirSync(join(place, 'data'), { recursive: true })
    writeFileSync(join(place, 'manifest-summary.json'), '{"version":"2020-06-30"}')
    writeFileSync(join(place, 'manifest-files.json'), '{"itemCount":2}\n')
    for (const [index, name] of ['a', 'b'].entries()) {
      const line = JSON.stringify({ Item: { pk: { S: name }, sk: { N: String(index) } } })
      writeFileSync(join(place, 'data', `${name}.json.gz`), gzipSync(`${line}\n`))
    }
    expect((await run('import', place, '--table', 'aws')).out).toBe('2 items written to aws.\n')
  })

  it('read the folder of an export of the local engine', async () => {
    const Item = {
      pk: { S: 'a' },
      sk: { N: '1' },
      bytes: { B: new Uint8Array([0, 255]) },
      set: { SS: ['x', 'y'] },
    }
    await client.send(new PutItemCommand({ TableName: 'source', Item }))
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'source' }))
    const { ExportDescription } = await client.send(
      new ExportTableToPointInTimeCommand({ TableArn: Table?.TableArn, S3Bucket: 'exports' }),
    )
    const { ExportArn } = ExportDescription ?? {}
    let manifest: string | undefined
    while (manifest === undefined) {
      const described = await client.send(new DescribeExportCommand({ ExportArn }))
      manifest = described.ExportDescription?.ExportManifest
      await new Promise(setImmediate)
    }
    const place = dirname(join(folder, 'exports', manifest))
    expect((await run('import', place, '--table', 'target')).out).toBe('1 items written to target.\n')
    const { Items } = await client.send(new ScanCommand({ TableName: 'target' }))
    expect(Items).toEqual([Item])
  })

  it.each([
    [() => ['import', '/nowhere', '--table', 'none'], 1, 'There is no file /nowhere.'],
    [
      () => ['import', fileOf('broken.jsonl', '{"pk":"a","sk":1}\n{"pk":'), '--table', 'none'],
      1,
      'broken.jsonl, line 2, is not JSON',
    ],
    [() => ['import', fileOf('list.jsonl', '[1]\n'), '--table', 'none'], 1, 'line 1, is not an object'],
    [() => ['import', fileOf('broken.csv', 'a,b\n1,2,3\n'), '--table', 'none'], 1, 'is not a CSV file'],
    [
      () => ['import', fileOf('nokey.jsonl', '{"other":1}\n'), '--table', 'none'],
      1,
      'nokey.jsonl, line 1: the item has no pk, which is the partition key (S) of none.',
    ],
    [() => ['import', fileOf('any.jsonl', '{}'), '--table', 'missing'], 1, 'ResourceNotFoundException'],
    [
      () => ['export', fileOf('there.jsonl', ''), '--table', 'none'],
      1,
      'exists already and is not overwritten. Name another file, or remove it.',
    ],
    [
      () => {
        const exported = mkdtempSync(join(folder, 'ion-'))
        writeFileSync(join(exported, 'manifest-summary.json'), '{}')
        mkdirSync(join(exported, 'data'))
        writeFileSync(join(exported, 'data', 'a.ion.gz'), '')
        return ['import', exported, '--table', 'none']
      },
      1,
      'has no data to import, but data/a.ion.gz; it must have files that end in .jsonl',
    ],
    [
      () => ['export', join(folder, 'x.csv.gz'), '--table', 'none'],
      2,
      'an export has lines of JSON, which isotherm import would not read from a file of this name. Use .jsonl.',
    ],
    [() => ['export', '/nowhere/x.jsonl', '--table', 'none'], 1, 'cannot be written (ENOENT)'],
    [() => ['export', join(folder, 'x'), '--table', 'none', '--format', 'xml'], 2, "--format is 'xml'"],
  ])('say in one sentence what is wrong (case %#)', async (args, code, text) => {
    const ended = await run(...args())
    expect(ended).toMatchObject({ code, out: '', err: expect.stringContaining(text) })
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1)
  })

  it.each([
    ['x.jsonl', ['{"sk":1}'], 2, 'the item has no pk, which is the partition key (S) of keyed.'],
    ['x.jsonl', ['{"pk":"a"}'], 2, 'the item has no sk, which is the sort key (N) of keyed.'],
    ['x.jsonl', ['{"Item":{"pk":{"S":"a"}}}'], 2, 'the item has no sk, which is the sort key (N) of keyed.'],
    ['x.jsonl', ['{"pk":7,"sk":1}'], 2, 'pk is of type N; it must be of type S, as it is the partition key'],
    [
      'x.jsonl',
      ['{"pk":"","sk":1}'],
      2,
      'pk is empty; it must not be, as it is the partition key (S) of keyed.',
    ],
    [
      'x.jsonl',
      ['{"Item":{"pk":{"S":"a"},"sk":{"N":"two"}}}'],
      2,
      "sk is 'two'; it must be a number, as it is the sort key (N) of keyed.",
    ],
    [
      'x.jsonl',
      ['{"pk":"a","sk":1,"at":5}'],
      2,
      'at is of type N; it must be of type S, as it is a key of an index (S) of keyed.',
    ],
    ['x.csv', [',5,t,n'], 4, 'the item has no pk, which is the partition key (S) of keyed.'],
    ['x.csv', ['a,two,t,n'], 4, "sk is 'two'; it must be a number, as it is the sort key (N) of keyed."],
    ['x.csv', ['a,1,t,"two\r\nlines"', ',2,t,"two\r\nlines"'], 6, 'the item has no pk, which is'],
  ])('names the line of an item whose key does not fit (%s, %j)', async (name, lines, line, problem) => {
    await client
      .send(createTable('keyed', ['pk', 'sk:N'], { global: { by_at: ['at'] } }))
      .catch(() => undefined)
    const [first, last] = name.endsWith('.csv')
      ? ['pk,sk,at,note\n\nb,9,t,n', 'c,9,t,n']
      : ['{"pk":"b","sk":9}', '{"pk":"c","sk":9,"at":"t"}']
    const file = fileOf(name, [first, ...lines, last].join('\n'))
    for (const more of [[], ['--dry-run']]) {
      expect(await run('import', file, '--table', 'keyed', ...more)).toEqual({
        code: 1,
        out: '',
        err: expect.stringContaining(`isotherm: ${file}, line ${line}: ${problem}`),
      })
    }
  })

  it('write items whose keys have every form that the table takes', async () => {
    await client.send(createTable('forms', ['pk:B', 'sk:N'], { global: { by_at: ['at'] } }))
    const forms = ['{"pk":{"B":"AQI="},"sk":{"N":"-1.5e3"}}', '{"Item":{"pk":{"B":"Ag=="},"sk":{"N":"+.5"}}}']
    expect((await run('import', fileOf('forms.jsonl', forms.join('\n')), '--table', 'forms')).err).toBe('')
    expect(await countOf('forms')).toBe(2)
  })

  it('leave no file of a table that cannot be read', async () => {
    const file = join(folder, 'unread.jsonl')
    const { code, err } = await run('export', file, '--table', 'missing')
    expect(code).toBe(1)
    expect(err).toContain('missing: ResourceNotFoundException')
    expect(existsSync(file)).toBe(false)
  })

  it.each([
    ['export', 'The export of big was ended after 1 items, and', 'was removed. Run the same command again.'],
    ['import', 'The import to big was ended after 0 items.', 'The same command writes all of them'],
  ])('say how to continue when Ctrl-C ends an %s', async (command, what, how) => {
    const file = join(folder, `ended-${command}.jsonl`)
    if (command === 'import') writeFileSync(file, '{"pk":"a","sk":1}\n')
    let pages = 0
    // The second page, or the first batch, is never answered.
    const server = createServer((request, response) => {
      const target = String(request.headers['x-amz-target'])
      if (target.endsWith('BatchWriteItem') || (target.endsWith('Scan') && pages++ > 0)) {
        process.emit('SIGINT')
        return
      }
      const key = { pk: { S: 'a' }, sk: { N: '1' } }
      response.end(JSON.stringify({ Items: [key], LastEvaluatedKey: key, Table: {} }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const args = [command, file, '--table', 'big', '--endpoint', `http://127.0.0.1:${port}`]
    const { code, out, err } = await isotherm(...args)
    expect({ code, out }).toEqual({ code: 130, out: '' })
    expect(err).toContain(what)
    expect(err).toContain(how)
    expect(existsSync(file)).toBe(command === 'import')
    server.closeAllConnections()
    server.close()
  })
})
