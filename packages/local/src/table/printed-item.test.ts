import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { PrintedItem, printedText } from './printed-item.js'

it('prints an item once, as JSON', () => {
  const item = { pk: { S: 'é "quoted"' }, list: { L: [{ NULL: true as const }] } }
  const stored = new PrintedItem(item, 10)
  expect(stored.text).toBe(JSON.stringify(item))
  expect(printedText(stored)).toBe(JSON.stringify(item))
  expect(printedText({ item, bytes: 10 })).toBe(JSON.stringify(item))
})

it('keeps a limited number of texts, and replaces the oldest by those that are read often', () => {
  let printed = 0
  class Counted {
    readonly S: string

    constructor(text: string) {
      this.S = text
    }

    toJSON(): object {
      printed++
      return { S: this.S }
    }
  }
  const printsOf = (item: PrintedItem | undefined) => {
    const before = printed
    expect(item?.text.length).toBeGreaterThan(megabyte.length)
    return printed - before
  }
  const megabyte = 'x'.repeat(1024 * 1024)
  const items = Array.from({ length: 40 }, (_, at) => {
    return new PrintedItem({ pk: new Counted(`${at}${megabyte}`) }, megabyte.length)
  })
  for (const item of items) expect(printsOf(item)).toBe(1)
  const kept = items.filter((item) => printsOf(item) === 0).length
  expect(kept).toBeGreaterThan(25)
  expect(kept).toBeLessThan(33)
  const last = items.at(-1)
  for (let read = 0; read < 8; read++) printsOf(last)
  expect(printsOf(last)).toBe(0)
  expect(printsOf(items[0])).toBe(1)
})

it('does not hold items that are no longer stored', () => {
  const before = heapBytes()
  for (let at = 0; at < 900_000; at++) {
    expectText(new PrintedItem({ pk: { S: 'k' }, views: { N: String(at) } }, 10))
  }
  // Each item takes 200 bytes or more. The texts of the newest are kept.
  expect(heapBytes() - before).toBeLessThan(80 * 1024 * 1024)
})

function expectText({ text, item }: PrintedItem): void {
  if (!text.endsWith(`${JSON.stringify(item.views)}}`)) throw new Error(text)
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  return process.memoryUsage().heapUsed
}
