import { describe, expect, it } from 'vitest'
import { isotherm } from './isotherm.fixture.js'

describe('an option without an effect is refused', () => {
  it.each([
    ['hot --table t --for 60', '--for', 'without --enable'],
    ['hot --table t --every 5', '--every', 'without --watch'],
    ['hot --table t --enable --watch --for 60', '--for', 'with --watch'],
    ['lint t.yaml --json --format sarif', '--json', 'with --format sarif'],
    ['lint t.yaml --json --format text', '--json', 'with --format text'],
    ['lint t.yaml --json --code', '--code', 'with --json'],
    ['lint t.yaml --format sarif --code', '--code', 'with --format sarif'],
    ['lint t.yaml --endpoint http://127.0.0.1:9', '--endpoint', 'without --table'],
    ['lint t.yaml --region eu-west-1', '--region', 'without --table'],
    ['lint t.yaml --profile p', '--profile', 'without --table'],
    ['lint t.yaml --sample 5', '--sample', 'without --table'],
    ['lint --table t --items i.jsonl --sample 5', '--sample', 'with --items'],
    ['lint --rules --table t', '--table', 'with --rules'],
    ['lint --rules --format sarif', '--format sarif', 'with --rules'],
    ['lint --explain many-indexes --code', '--code', 'with --explain'],
    ['plan --writes 1 --as reads', '--as', 'without --from'],
    ['plan --writes 1 --window 5', '--window', 'without --from'],
    ['plan --writes 1 --hours 5', '--hours', 'without --table'],
    ['plan --writes 1 --profile p', '--profile', 'without --table'],
    ['plan --from log.tsv --table t --sample 5', '--sample', 'with --from'],
    ['replay t.jsonl --region eu-west-1', '--region', 'without --endpoint'],
    ['replay t.jsonl --endpoint http://127.0.0.1:9 --seed 2', '--seed', 'with --endpoint'],
    [
      'replay t.jsonl --endpoint http://127.0.0.1:9 --price-region eu-west-1',
      '--price-region',
      'with --endpoint',
    ],
    ['local --verify data --port 9000', '--port', 'with --verify'],
    ['local --verify data --no-throttle', '--no-throttle', 'with --verify'],
    ['proxy --print-schema --check', '--check', 'with --print-schema'],
    ['unshard --table t --to p --suffix random --fixed 4 --shard-map m', '--shard-map', 'with --fixed'],
    ['run hot-file --once --port 9000', '--port', 'with --once'],
    ['run hot-file --keep-tables', '--keep-tables', 'without --endpoint'],
    ['run hot-file --strategies fixed --max-shards 8', '--max-shards', 'without --strategies dynamic'],
    ['run hot-file --strategies one-key --shards 8', '--shards', 'without --strategies fixed'],
  ])('isotherm %s', async (line, option, rule) => {
    const { code, out, err } = await isotherm(...line.split(' '))
    expect(err).toMatch(new RegExp(`^isotherm: ${option} has no effect ${rule}\\. (Add|Leave out) `))
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  it('with the cure', async () => {
    expect((await isotherm('hot', '--table', 't', '--for', '60')).err).toBe(
      'isotherm: --for has no effect without --enable. Add --enable, or leave out --for.\n',
    )
    expect((await isotherm('lint', 't.yaml', '--json', '--format', 'sarif')).err).toBe(
      'isotherm: --json has no effect with --format sarif. Leave out one of them.\n',
    )
  })
})

it('also files beside --rules, which reads none', async () => {
  const { code, err } = await isotherm('lint', 't.yaml', '--rules')
  expect({ code, err }).toEqual({
    code: 2,
    err: 'isotherm: t.yaml has no effect with --rules, which reads no files. Leave out one of them.\n',
  })
})

it('a name of a table that is not read has no hours either', async () => {
  const { code, err } = await isotherm('plan', '--table', 't', '--writes', '1', '--hours', '5')
  expect({ code, err }).toEqual({
    code: 2,
    err: 'isotherm: --hours has no effect, because rates are given and so the table t is not read. Add --region, --profile or --endpoint to read it, or leave out --hours.\n',
  })
})

it('a state is shown without a rate', async () => {
  const { code, err } = await isotherm('shards', 'show', '--table', 't', '--key', 'k', '--rate', '50')
  expect({ code, err }).toEqual({ code: 2, err: "isotherm: Unknown option '--rate'. See --help.\n" })
})

it.each(['--json --format json --rules', '--rules --format json'])(
  'isotherm lint %s is valid',
  async (line) => {
    expect((await isotherm('lint', ...line.split(' '))).code).toBe(0)
  },
)
