import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { passedBefore, recordPassed } from './passed-before.js'

let record: string

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-passed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  record = join(folder, 'passed.json')
  writeFileSync(record, '{"old.test.ts":{"digest":"1","tests":1},"a.test.ts":{"digest":"1","tests":2}}')
})

it('leaves out the files whose code is that with which they passed', () => {
  const digests = new Map([
    ['a.test.ts', '1'],
    ['b.test.ts', '1'],
    ['old.test.ts', '2'],
  ])
  expect(passedBefore(digests, record)).toEqual([{ file: 'a.test.ts', tests: 2 }])
})

it('notes the repeatable ones among the files that passed, in order, and forgets those that are not listed any more', () => {
  const digests = new Map([
    ['b.test.ts', '3'],
    ['a.test.ts', '2'],
    ['failed.test.ts', '1'],
  ])
  const passed = [
    { file: 'b.test.ts', tests: 5 },
    { file: 'a.test.ts', tests: 2 },
    { file: 'on-real-time.test.ts', tests: 9 },
  ]
  recordPassed(digests, passed, record)
  expect(readFileSync(record, 'utf8')).toBe(
    `${JSON.stringify({ 'a.test.ts': { digest: '2', tests: 2 }, 'b.test.ts': { digest: '3', tests: 5 } }, undefined, 2)}\n`,
  )
})
