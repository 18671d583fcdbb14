import { describe, expect, it } from 'vitest'
import type { TraceLine } from '../world/trace.js'
import { Violation } from '../world/violation.js'
import { timeline } from './timeline.js'

const VIOLATION = new Violation('an append is read once', 'p1 at the end read 72 of key1 2 times', [
  'key1',
  '72',
])
const ITEM = '{"file_path":"key1_6","at":"0000072","writer":"p2"}'
const OTHER = '{"file_path":"key1_6","at":"0000172","writer":"p3"}'
const PUT = `BatchWriteItem {"log_1":[{"PutRequest":{"Item":${ITEM}}}]} -> ok`
const MOVE = `TransactWriteItems Put log_1 {"file_path":"key1_2","at":"0000072"}; Delete log_1 ${ITEM} -> ok`

function line(seconds: number, who: string, what: string): TraceLine {
  return { at: seconds * 1_000, who, what }
}

function told(...lines: readonly TraceLine[]): readonly string[] {
  return timeline({ violation: VIOLATION, lines })
}

describe('a timeline', () => {
  it('tells of the first write however much happens behind it', () => {
    const jumps = Array.from({ length: 5_000 }, (_, index) => line(index, 'p9', 'its clock jumps forward'))
    const readings = Array.from({ length: 50 }, (_, index) =>
      line(index, `p${10 + (index % 4)}`, `Query {":low":"${index}"} consistent -> ok, [${OTHER},${ITEM}]`),
    )
    const end = line(61, 'world', 'VIOLATION an append is read once')
    expect(told(line(0, 'p2', PUT), ...jumps, ...readings, line(60, 'p5', MOVE), end)).toEqual([
      `    0.000 p2      ${PUT}`,
      `    0.000 p10     Query {":low":"0"} consistent -> ok, ${ITEM} (50 times by 4 processes until 49.000)`,
      `   60.000 p5      ${MOVE}`,
      '   61.000 world   VIOLATION an append is read once',
    ])
  })

  it('tells what happened to the processes that took part, since there was something to take part in', () => {
    const lines = [
      line(1, 'p2', 'pauses for 10 ms'),
      line(2, 'p2', PUT),
      line(3, 'p2', 'pauses for 20 ms'),
      line(3, 'p3', 'pauses for 30 ms'),
      line(4, 'p2#61', 'crashes'),
      line(5, 'p1', 'crashes'),
    ]
    expect(told(...lines)).toEqual([
      `    2.000 p2      ${PUT}`,
      '    3.000 p2      pauses for 20 ms',
      '    5.000 p1      crashes',
    ])
  })

  it('tells how the count of its key changed, and not that of others', () => {
    const lines = [
      line(1, 'service', 'log_1_shard_map key1: 1 of 1 -> 2 of 2'),
      line(1, 'service', 'log_1_shard_map key12: 1 of 1 -> 3 of 3'),
      line(1, 'service', 'log_2_shard_map key1: 1 of 1 -> 4 of 4'),
      line(2, 'p2', PUT),
    ]
    expect(told(...lines)).toEqual([
      '    1.000 service log_1_shard_map key1: 1 of 1 -> 2 of 2',
      `    2.000 p2      ${PUT}`,
    ])
  })

  it('folds readings until something is written, and tells each answer', () => {
    const moved = ITEM.replace('key1_6', 'key1_2')
    const query = (item: string) => `Query {":partition":"x"} -> ok, [${item}]`
    const lines = [
      ...[1, 2, 3].map((at) => line(at, 'p4', query(ITEM))),
      line(4, 'p5', MOVE),
      ...[5, 6].map((at) => line(at, 'p4', query(moved))),
      line(7, 'p4', query(ITEM)),
    ]
    const head = 'Query {":partition":"x"} -> ok,'
    expect(told(...lines)).toEqual([
      `    1.000 p4      ${head} ${ITEM} (3 times until 3.000)`,
      `    4.000 p5      ${MOVE}`,
      `    5.000 p4      ${head} ${moved} (2 times until 6.000)`,
      `    7.000 p4      ${head} ${ITEM}`,
    ])
  })

  it('tells where those did not find it whom the violation tells of', () => {
    const query = `Query {":partition":"key1_6"} -> ok,`
    expect(told(line(1, 'p1', `${query} [${OTHER}]`), line(1, 'p3', `${query} [${OTHER}]`))).toEqual([
      `    1.000 p1      ${query} and not that`,
    ])
  })

  it('does not take the key of one item and the name of another for it', () => {
    const key1 = '{"file_path":"key1_6","at":"0000080"}'
    const key0 = '{"file_path":"key0_6","at":"0000072"}'
    expect(
      told(line(1, 'p3', `TransactWriteItems Delete log_1 ${key1}; Delete log_1 ${key0} -> ok`)),
    ).toEqual([])
  })

  it('knows an item that has sets in it', () => {
    const item = '{"file_path":"key1_6","tokens":{"SS":["a"]},"at":"0000072"}'
    const text = `Query {":partition":"key1_6"} -> ok, ${item}`
    expect(told(line(1, 'p3', text.replace(item, `[${OTHER},${item}]`)))).toEqual([
      `    1.000 p3      ${text}`,
    ])
  })

  it('shows the item of a batch that is too long for a line', () => {
    const others = Array.from({ length: 20 }, () => `{"PutRequest":{"Item":${OTHER}}}`).join(',')
    const [text = ''] = told(
      line(1, 'p2', `BatchWriteItem {"log_1":[${others},{"PutRequest":{"Item":${ITEM}}}]} -> ok (late)`),
    )
    expect(text).toContain('"at":"0000072"')
    expect(text).toMatch(/-> ok \(late\)$/)
    expect(text.length).toBeLessThan(450)
  })

  it('is about the shard map where a key as a whole is', () => {
    const violation = new Violation('no phase is skipped', 'key1 went from 1 to 2', ['key1'])
    const change = 'UpdateItem log_1_shard_map {"file_path":"key1"} SET #n = :n -> ok'
    const lines = [
      line(1, 'p2', PUT),
      line(2, 'p3', change),
      line(2, 'service', 'log_1_shard_map key1: 1 of 1 -> 2 of 2'),
      line(3, 'p3', 'crashes'),
    ]
    expect(timeline({ violation, lines })).toEqual([
      `    2.000 p3      ${change}`,
      '    2.000 service log_1_shard_map key1: 1 of 1 -> 2 of 2',
      '    3.000 p3      crashes',
    ])
  })

  it('is the last lines where nothing is known of the cause', () => {
    const lines = Array.from({ length: 100 }, (_, index) => line(index, 'p1', 'crashes'))
    expect(timeline({ violation: new Violation('a rule', 'is broken'), lines })).toHaveLength(60)
  })
})
