import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { CommandError } from '../command-error.js'
import type { KeyRules } from './key-rules.js'
import { type Item, readItems } from './read-items.js'

const numRuns = inject('trials') === 'many' ? 3_000 : 200

const folder = mkdtempSync(join(tmpdir(), 'isotherm-read-items-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The drawn items need not have a key. */
const KEYS: KeyRules = {
  types: new Map([
    ['pk', 'S'],
    ['sk', 'N'],
    ['raw', 'B'],
  ]),
  problemOf: () => undefined,
  keyOf: () => '',
}

/** The items of a file, or the error that it ends with. */
async function read(
  name: string,
  bytes: Buffer,
): Promise<{ readonly items: Item[]; readonly error: unknown }> {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const items: Item[] = []
  try {
    for await (const item of readItems(path, KEYS)) items.push(item)
  } catch (error) {
    return { items, error }
  }
  return { items, error: undefined }
}

/** Lines that are items, whatever is around them. */
const good = fc.oneof(
  fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
  fc.constantFrom<object>(
    {
      Item: {
        pk: { S: 'a' },
        raw: { B: 'AQI=' },
        set: { NS: ['1'] },
        deep: { L: [{ M: { x: { NULL: true } } }] },
      },
    },
    { pk: { S: 'line\u2028separator' } },
  ),
)

/** Lines that are no items, and lines that may be. */
const odd = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/\r|\n/g, ' ')),
  fc.json({ maxDepth: 3 }),
  fc.json({ maxDepth: 3 }).map((text) => text.slice(0, -1)),
  fc.constantFrom(
    '{"pk":',
    '[1]',
    'null',
    '{"n":1e999}',
    '{"n":12345678901234567890}',
    '{"pk":{"S":5}}',
    '{"Item":{"pk":{"B":[1]}}}',
    '{"pk":{"M":{"x":{"L":"y"}}}}',
    '{"pk":{"BS":"AQI="}}',
    '{"__proto__":{"S":"x"}}',
    `{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    `{"deep":${'{"M":{"x":'.repeat(9_000)}0${'}}'.repeat(9_000)}}`,
  ),
)

describe('a data file', () => {
  it('of drawn lines has the items of its good ones, and names the line that is none', async () => {
    const lines = fc.tuple(fc.array(good, { maxLength: 5 }), odd, fc.array(good, { maxLength: 3 }))
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), async ([before, drawn, after], isCompressed) => {
        const text = [...before, drawn, ...after]
          .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
          .join('\n')
        const name = isCompressed ? 'lines.jsonl.gz' : 'lines.jsonl'
        const bytes = Buffer.from(text)
        const { items, error } = await read(name, isCompressed ? gzipSync(bytes) : bytes)
        if (error === undefined) {
          expect(items.length).toBeGreaterThanOrEqual(before.length + after.length)
        } else {
          expect(error).toBeInstanceOf(CommandError)
          expect((error as Error).message).toContain(`${join(folder, name)}, line ${before.length + 1}, `)
          expect(items).toHaveLength(before.length)
        }
      }),
      { numRuns },
    )
  })

  it('of drawn bytes ends with its items, or with an error that names it', async () => {
    const whole = [
      gzipSync('{"pk":"a","sk":1}\n{"pk":"b","sk":2}\n'),
      gzipSync('pk,sk\na,1\nb,2\n'),
      Buffer.from('\ufeffpk,sk,raw,note\na,1,AQI=,"x, ""y""\nz"\n'),
    ]
    const damaged = fc
      .tuple(fc.constantFrom(...whole), fc.nat(), fc.nat(255), fc.boolean())
      .map(([bytes, at, byte, isCut]) => {
        const copy = Buffer.from(bytes)
        copy[at % copy.length] = byte
        return isCut ? copy.subarray(0, at % copy.length) : copy
      })
    const bytes = fc.oneof(
      damaged,
      fc.uint8Array({ maxLength: 200 }).map((drawn) => Buffer.from(drawn)),
      fc
        .string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', '\0', '1', '__proto__') })
        .map((text) => Buffer.from(text)),
    )
    const names = fc.constantFrom('x.csv', 'x.csv.gz', 'x.jsonl', 'x.jsonl.gz', 'x.json')
    await fc.assert(
      fc.asyncProperty(names, bytes, async (name, drawn) => {
        const { error } = await read(name, drawn)
        if (error === undefined) return
        expect(error).toBeInstanceOf(CommandError)
        expect((error as Error).message).toContain(join(folder, name))
      }),
      { numRuns },
    )
  })
})

it('a line that never ends is refused before it fills the memory', async () => {
  const { error } = await read('endless.jsonl', Buffer.alloc(17 * 1024 * 1024, 'x'))
  expect(error).toMatchObject({
    message: expect.stringContaining('line 1, has more than 16777216 characters'),
  })
})

it('a heading with other line ends than the rows leaves nothing of them in the cells', async () => {
  const items = [1, 2].map((sk) => ({ pk: { S: 'a' }, sk: { N: `${sk}` }, note: { S: 'x' } }))
  for (const text of ['pk,sk,note\na,1,x\r\na,2,x\r\n', 'pk,sk,note\r\na,1,x\na,2,x\n']) {
    expect(await read('mixed.csv', Buffer.from(text))).toEqual({ items, error: undefined })
  }
})
