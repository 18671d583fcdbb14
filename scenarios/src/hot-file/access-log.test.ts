import { describe, expect, it } from 'vitest'
import { ScenarioError } from '../scenario-error.js'
import { parseAccessLog, readAccessLog, sampleLogPath } from './access-log.js'

const HEADING = 'epoch_seconds\tclient\tmethod\tpath\tstatus\tbytes'
const LINE = '1431857100\tc1\tGET\t/a.png\t200\t25230'

function logOf(...lines: readonly string[]): string {
  return `${[HEADING, ...lines].join('\n')}\n`
}

function errorOf(work: () => unknown): ScenarioError {
  try {
    work()
  } catch (error) {
    if (error instanceof ScenarioError) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}

describe('an access log', () => {
  it('becomes requests in its own order', () => {
    const { requests } = parseAccessLog(logOf(LINE, '1431857103\tc2\tPOST\t/b\t404\t0'))
    expect(requests).toEqual([
      { epochSeconds: 1431857100, client: 'c1', method: 'GET', path: '/a.png', status: 200, bytes: 25230 },
      { epochSeconds: 1431857103, client: 'c2', method: 'POST', path: '/b', status: 404, bytes: 0 },
    ])
  })

  it('spans its earliest to the second after its latest request, whatever their order', () => {
    const { spanSeconds } = parseAccessLog(logOf('20\tc\tGET\t/a\t200\t1', '10\tc\tGET\t/a\t200\t1'))
    expect(spanSeconds).toBe(11)
  })

  it('knows its busiest path, and of equals the one asked for first', () => {
    const lines = ['/a', '/b', '/c', '/c', '/b'].map((path) => `1\tc\tGET\t${path}\t200\t1`)
    expect(parseAccessLog(logOf(...lines)).busiestPath).toBe('/b')
  })

  it('may have Windows line ends, a byte order mark, and no line end at its end', () => {
    expect(parseAccessLog(`\uFEFF${HEADING}\r\n${LINE}`).requests).toEqual(
      parseAccessLog(logOf(LINE)).requests,
    )
  })

  it('comes with the package: 10,000 requests, of which the busiest path has 807', () => {
    const { requests, busiestPath } = readAccessLog(sampleLogPath)
    expect(requests).toHaveLength(10_000)
    expect(busiestPath).toBe('/favicon.ico')
    expect(requests.filter(({ path }) => path === busiestPath)).toHaveLength(807)
  })
})

describe('a log that is not as it should be', () => {
  it.each([
    ['too few fields', '1431857100\tc1\tGET\t/a\t200', /^Line 3 .* 5 fields/],
    ['too many fields', `${LINE}\tmore`, /^Line 3 .* 7 fields/],
    ['an empty line', '', /^Line 3 .* 1 fields/],
    ['an empty path', '1431857100\tc1\tGET\t\t200\t1', /^Line 3 .* path is empty/],
    ['a time in words', 'noon\tc1\tGET\t/a\t200\t1', /^Line 3 .* epoch_seconds is 'noon'/],
    ['a time after the year 9999', '253402300800\tc1\tGET\t/a\t200\t1', /^Line 3 .* epoch_seconds/],
    ['a negative size', '1431857100\tc1\tGET\t/a\t200\t-1', /^Line 3 .* bytes is '-1'/],
    ['a fraction', '1431857100\tc1\tGET\t/a\t200.5\t1', /^Line 3 .* status is '200.5'/],
    ['an empty number', '1431857100\tc1\tGET\t/a\t\t1', /^Line 3 .* status is ''/],
    ['a status of four digits', '1431857100\tc1\tGET\t/a\t1000\t1', /^Line 3 .* status is '1000'/],
  ])('is refused for %s, with the number of the line', (_, line, sentence) => {
    const error = errorOf(() => parseAccessLog(logOf(LINE, line, LINE)))
    expect(error.code).toBe('access-log.malformed-line')
    expect(error.message).toMatch(sentence)
  })

  it('is refused for a first line that is not the heading', () => {
    const error = errorOf(() => parseAccessLog(`${LINE}\n`))
    expect(error.code).toBe('access-log.malformed-line')
    expect(error.message).toMatch(/^Line 1 .*epoch_seconds, client/)
  })

  it.each([
    ['nothing at all', ''],
    ['a heading alone', `${HEADING}\n`],
  ])('is refused as empty when it is %s', (_, text) => {
    expect(errorOf(() => parseAccessLog(text)).code).toBe('access-log.empty')
  })

  it('is refused with its path and the reason when it cannot be read', () => {
    const error = errorOf(() => readAccessLog('/no/such/access-log.tsv'))
    expect(error.code).toBe('access-log.unreadable')
    expect(error.message).toContain('/no/such/access-log.tsv')
    expect(error.message).toContain('ENOENT')
  })
})
