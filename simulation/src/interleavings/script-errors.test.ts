import { describe, expect, it } from 'vitest'
import { LIBRARY as library } from '../world/library.js'
import { parseScripts } from './parse-script.js'
import { runScript } from './run-script.js'

const HEAD = 'table log: random\nprocess p\n'

async function run(text: string): Promise<void> {
  for (const script of parseScripts('a.txt', text)) await runScript(library, script)
}

describe('a script that cannot be read says so with its line', () => {
  it.each([
    ['', 'a.txt:1: declare a table first: "table log: random"'],
    [
      'tabel log: random',
      /^a.txt:1: there is no process tabel; declare it in a line "process tabel", or begin/,
    ],
    ['table log: randm', /^a.txt:1: there is no option randm; there are random, calculated, /],
    ['table log: sort sk date', 'a.txt:1: a sort key is a number or a string: write "sort sk string"'],
    [`${HEAD}q: get k/1`, /^a.txt:3: there is no process q; /],
    [`${HEAD}p: fetch k/1`, /^a.txt:3: there is no action fetch; there are put, get, /],
    [`${HEAD}p: get k`, 'a.txt:3: k needs a sort key: write k/1'],
    [`${HEAD}p: get other:k/1`, 'a.txt:3: there is no table other; declare it in a line "table other: ..."'],
    [`${HEAD}p: put k/1 colour`, 'a.txt:3: colour needs a value: write colour=1'],
    [`${HEAD}p: put k/1 text=two words`, 'a.txt:3: words needs a value: write words=1'],
    [`${HEAD}p: get k/1 twice`, 'a.txt:3: twice does not belong here'],
    [`${HEAD}p: query k index by_status`, 'a.txt:3: the table log has no index by_status'],
    [`${HEAD}p: set k many`, 'a.txt:3: write a count: "set k 5"'],
    [`${HEAD}p: hold`, 'a.txt:3: say which request: write hold Query k_4, or hold request'],
    [`${HEAD}p: delay Query k_4`, 'a.txt:3: say for how long: write "by 5s" at the end'],
    [`${HEAD}p: fail Query with Nothing`, /^a.txt:3: the service can fail with InternalServerError or /],
    [`${HEAD}p: pause soon`, 'a.txt:3: soon is no time; write it as 250ms, 57s or 1.5m'],
    [`${HEAD}wait\n`, /^a.txt:3: .*is no time/],
    [
      `${HEAD}p: get k/1\n  get k/2`,
      'a.txt:4: below a step stand rules: hold, lose, delay, fail, throttle, crash',
    ],
    [`${HEAD}wait 5s\n  hold Query`, 'a.txt:4: only a step of a process has lines below it'],
    [`${HEAD}each suffix`, 'a.txt:3: write it as "each suffix: random | calculated"'],
    [`${HEAD}service: drain k`, /^a.txt:3: the service knows no drain; it knows put, /],
  ])('%j', (text, message) => {
    expect(() => parseScripts('a.txt', text)).toThrow(message)
  })
})

describe('a script that does not hold says so with its line', () => {
  it.each([
    [`${HEAD}p: get k/1\nexpect: 1 n=5`, 'a.txt:4: expected 1 n=5, and it is nothing'],
    [
      `${HEAD}service: put k_2/1 n=5\nexpect stored: nothing`,
      'a.txt:4: expected nothing, and it is k_2/1 n=5',
    ],
    [
      `${HEAD}\np: put k/1 if attribute_exists(pk)`,
      'a.txt:4: the step ended with error ConditionalCheckFailedException; write "expect: error ConditionalCheckFailedException" behind it if it should',
    ],
    [`${HEAD}p: hold GetItem\np: get k/1`, 'a.txt:4: the step stands still at the end; release its request'],
    [`${HEAD}p: lose Query\np: get k/1`, 'a.txt:3: no request came that the rule is about'],
    [
      'table log: random\nsettings: requests 1\nprocess p\np: get k/1\nwait 1s',
      'a.txt:4: the script sends more requests than 1',
    ],
    [`${HEAD}p: release`, 'a.txt:3: no request of p stands still'],
    [`${HEAD}expect: ok`, 'a.txt:3: there is no step before whose answer could be expected'],
    [`${HEAD}expect stored other: ok`, 'a.txt:3: there is no table other'],
    [
      `${HEAD}always: all is well`,
      /^a.txt:3: there is no rule "all is well"; there are: an item has one copy; /,
    ],
    [
      'table log: random\nsettings: latency 5ms\nprocess p',
      /^a.txt:1: there is no option latency; there are seed, /,
    ],
    [
      'table log: random\nalways: an item has one copy\nservice: put k_1/1\nservice: put k_2/1',
      'a.txt:4: an item has one copy: k 1 is in the shards 1 and 2',
    ],
    [
      'table log: random, initial 2\nprocess p\nalways: appends are read once, and in order\np: put k/1\nservice: delete k_1/1\nservice: delete k_2/1\nwait 1ms\np: query k consistent',
      /^a.txt:8: an acknowledged append is read: p did not read 1 of k, acknowledged \d+ ms before$/,
    ],
    [
      'table log: calculated\nprocess p\nalways: single items behave as if one operation came after the other\np: put k/1 n=1\nservice: move k/1 to k_9\np: get k/1 consistent',
      /^a.txt:6: a single item behaves as if one operation came after the other: k 1: p reads -> is , and could have been only /,
    ],
  ])('%j', async (text, message) => {
    await expect(run(text)).rejects.toThrow(message)
  })
})

describe('a script', () => {
  it('has its lines before the first case in each case, and one test for each value', () => {
    const scripts = parseScripts(
      'a.txt',
      `${HEAD}case: one\np: get k/1\ncase: two\neach k: a | b\np: get $k/1`,
    )
    expect(scripts.map(({ title }) => title)).toEqual(['one', 'two, a', 'two, b'])
    expect(scripts.map(({ statements }) => statements.map(({ line }) => line))).toEqual([
      [2, 4],
      [2, 7],
      [2, 7],
    ])
  })

  it('lets a process stand still, lose answers, pause and crash', async () => {
    await run(
      `
      `.trim() +
        HEAD +
        [
          'process q',
          'p: hold PutItem',
          'p begins first: put k/1 n=1',
          'wait 5s',
          'expect first: no answer yet',
          'expect stored: nothing',
          'p: release',
          'expect first: ok',
          'p: put k/2',
          '  lose answer of PutItem k_1/2',
          'expect: error TimeoutError',
          'expect stored: k_1/1 n=1, k_1/2',
          'q: pause 10s',
          'q begins: get k/1',
          'wait 9s',
          'expect q: no answer yet',
          'wait 2s',
          'expect q: 1 n=1',
          'q: crash GetItem k_1/1',
          'q begins: get k/1',
          'wait 60s',
          'expect q: no answer yet',
        ].join('\n'),
    )
  })
})
