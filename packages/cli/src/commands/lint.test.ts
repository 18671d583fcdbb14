import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'
import { refusingEndpoint, withoutPermission } from '../refusing-endpoint.fixture.js'

const local = createLocal()
const folder = mkdtempSync(join(tmpdir(), 'isotherm-lint-'))
let endpoint = ''

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const client = local.client()
  await client.send(createTable('events', ['pk', 'sk']))
  for (let index = 0; index < 200; index++) {
    const Item = { pk: { S: index % 2 ? 'a' : 'b' }, sk: { S: `${index}` } }
    await client.send(new PutItemCommand({ TableName: 'events', Item }))
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await local.close()
})

function file(name: string, content: string | object): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return path
}

const table = (name: string, key: string, more: object = {}) => ({
  TableName: name,
  AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
  KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
  OnDemandThroughput: { MaxWriteRequestUnits: 100, MaxReadRequestUnits: 100 },
  ...more,
})

const clean = file('clean.json', table('orders', 'id'))
const bad = file(
  'bad.json',
  table('votes', 'status', {
    AttributeDefinitions: ['status', 'vote'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'status', KeyType: 'HASH' },
      { AttributeName: 'vote', KeyType: 'RANGE' },
    ],
  }),
)
const items = file(
  'items.jsonl',
  Array.from({ length: 60 }, (_, index) => `{"id":"a_${1 + (index % 10)}"}`).join('\n'),
)

describe('isotherm lint', () => {
  it('exits with 0 and one line for a clean table', async () => {
    const { code, out, err } = await isotherm('lint', clean)
    expect(out).toBe('0 errors, 0 warnings, 0 notes in 1 table\n')
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it('exits with 1 for a warning, and prints where it is, what follows, and the cure', async () => {
    const { code, out } = await isotherm('lint', bad)
    expect(out).toContain(`votes ${bad}:1`)
    expect(out).toContain('warning low-cardinality-partition-key: partition key status')
    expect(out).toMatch(/takes 1,000 writes a second/)
    expect(out).toContain('Cure: ')
    expect(out).not.toContain('ensureShardMap')
    expect(code).toBe(1)
    expect((await isotherm('lint', bad, '--code')).out).toContain(
      "ensureShardMap(client, { table: 'votes' })",
    )
  })

  it.each([
    [['--fail-on', 'error'], 0],
    [['--fail-on', 'never'], 0],
    [['--fail-on', 'note'], 1],
    [['--ignore', 'low-cardinality-partition-key'], 0],
    [['--ignore', 'many-indexes,low-cardinality-partition-key'], 0],
    [['--config', file('a.yaml', "tables: { 'v*s': [low-cardinality-partition-key] }")], 0],
    [['--config', file('b.yaml', "tables: { 'v*x': [low-cardinality-partition-key] }")], 1],
    [['--config', file('c.json', { levels: { 'low-cardinality-partition-key': 'note' } })], 0],
  ] as const)('with %j it exits with %i', async (flags, expected) => {
    expect((await isotherm('lint', bad, ...flags)).code).toBe(expected)
  })

  it('looks through folders, and passes over what is no template', async () => {
    mkdirSync(join(folder, 'infra/deep/node_modules'), { recursive: true })
    file('infra/deep/stack.yaml', `Resources: { T: { Type: AWS::Serverless::SimpleTable } }`)
    file('infra/ci.yml', 'on: push')
    file('infra/deep/node_modules/other.json', table('other', 'status'))
    file('infra/broken.json', '{"a":')
    const { code, out, err } = await isotherm('lint', join(folder, 'infra'), '--json')
    expect(JSON.parse(out).tables).toMatchObject([{ name: 'T', resource: 'T', firstLine: 1 }])
    expect(err).toMatch(/skipped: .*broken\.json is neither JSON nor YAML/)
    expect(code).toBe(0)
  })

  it('continues after a file of a folder that cannot be read, says so, and exits with 1', async () => {
    const mixed = join(folder, 'mixed')
    mkdirSync(mixed, { recursive: true })
    // The first bytes are those of gzip, and the rest is not.
    writeFileSync(join(mixed, 'a.json'), Buffer.from([0x1f, 0x8b, 0, 0]))
    file('mixed/b.json', table('carts', 'id'))
    const { code, out, err } = await isotherm('lint', mixed, '--json')
    expect(JSON.parse(out).tables).toMatchObject([{ name: 'carts' }])
    expect(err).toMatch(/^isotherm: skipped: The file .*a\.json cannot be read \(Z_\w+\)\.\n/)
    expect(err).toMatch(
      /\nisotherm: 1 file could not be read, so its tables were not checked\. Make it readable, or/,
    )
    expect(code).toBe(1)
    expect((await isotherm('lint', mixed, '--fail-on', 'never')).code).toBe(1)
    rmSync(join(mixed, 'b.json'))
    const alone = await isotherm('lint', mixed)
    expect(alone).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('1 file could not be read'),
    })
  })

  it.skipIf(process.getuid?.() === 0)('continues after a folder that cannot be read', async () => {
    const mixed = join(folder, 'closed')
    mkdirSync(join(mixed, 'secret'), { recursive: true })
    file('closed/b.json', table('carts', 'id'))
    chmodSync(join(mixed, 'secret'), 0)
    const { code, out, err } = await isotherm('lint', mixed, '--json')
    chmodSync(join(mixed, 'secret'), 0o700)
    expect(JSON.parse(out).tables).toMatchObject([{ name: 'carts' }])
    expect(err).toMatch(/skipped: The file .*secret cannot be read \(EACCES\)/)
    expect(code).toBe(1)
  })

  it('reads the files that a file of the Serverless Framework includes, each once', async () => {
    const service = join(folder, 'service')
    mkdirSync(join(service, 'resources'), { recursive: true })
    const votes = 'Votes: { Type: AWS::DynamoDB::Table, Properties: { TableName: votes } }\n'
    file('service/resources/votes.yml', votes)
    const includes = `resources:
  - \${file(resources/votes.yml)}
  - \${file(resources/votes.yml):Votes}
  - \${file(resources/\${opt:stage}.yml)}
  - \${file(resources/missing.yml)}
  - \${file(resources/code.js)}
`
    const main = file('service/serverless.yml', includes)
    for (const path of [main, service]) {
      const { out, err } = await isotherm('lint', path, '--json')
      expect(JSON.parse(out).tables).toMatchObject([{ name: 'votes', resource: 'Votes' }])
      expect(err).toBe('')
    }
  })

  it.each([
    ['main.tf', 'resource "aws_dynamodb_table" "votes" {\n}\n', 'run terraform show -json PLAN > plan.json'],
    ['stack.ts', 'export const stack = 1\n', 'lint the template that cdk synth'],
    ['other.yaml', 'a: 1\n', 'lint reads CreateTable as JSON, CloudFormation'],
  ])('says what to run for a file without tables: %s', async (name, content, cure) => {
    const { code, err } = await isotherm('lint', file(name, content))
    expect(code).toBe(2)
    expect(err).toContain(cure)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  it('takes items for the rules that look at items', async () => {
    const found = async (...flags: readonly string[]) =>
      JSON.parse((await isotherm('lint', clean, '--json', ...flags)).out).findings.map(
        ({ rule }: { rule: string }) => rule,
      )
    expect(await found()).toEqual([])
    expect(await found('--items', items)).toContain('key-looks-sharded')
    expect(await found('--items', `orders=${items}`)).toContain('key-looks-sharded')
  })

  it('prints SARIF', async () => {
    const { out, code } = await isotherm('lint', bad, '--format', 'sarif')
    expect(JSON.parse(out)).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'low-cardinality-partition-key', level: 'warning' }] }],
    })
    expect(code).toBe(1)
  })

  it('samples a table of an endpoint', async () => {
    const { code, out, err } = await isotherm('lint', '--table', 'events', '--endpoint', endpoint, '--json')
    const { findings } = JSON.parse(out)
    expect(findings.map(({ rule }: { rule: string }) => rule)).toContain('few-partition-keys')
    expect(err).toMatch(/^isotherm: 200 items sampled for [\d.]+ read units\n$/)
    expect(code).toBe(1)
    const without = await isotherm(
      'lint',
      '--table',
      'events',
      '--endpoint',
      endpoint,
      '--json',
      '--sample',
      '0',
    )
    expect(without.out).not.toContain('few-partition-keys')
  })

  it('checks the definition alone where items may not be read, and says so', async () => {
    const refusing = await refusingEndpoint(endpoint, withoutPermission('Scan'))
    const args = ['lint', '--table', 'events', '--endpoint', refusing.url, '--json']
    const { out, err } = await isotherm(...args)
    refusing.close()
    expect(err).toMatch(
      /events cannot be sampled: .*Scan\. Allow these .*; --sample 0 does not ask for items\.\n$/,
    )
    expect(JSON.parse(out).tables).toMatchObject([{ name: 'events' }])
  })

  it('explains its rules', async () => {
    expect((await isotherm('lint', '--rules')).out.trimEnd().split('\n').length).toBeGreaterThanOrEqual(20)
    const { out, code } = await isotherm('lint', '--explain', 'uncapped-on-demand')
    expect(out).toMatch(/^uncapped-on-demand \(note\)\nAn on-demand table without a maximum\./)
    expect(code).toBe(0)
  })

  it.each([
    ['nothing', [], /lint needs files/],
    ['a missing file', ['/no/such.yaml'], /such\.yaml cannot be read \(ENOENT\)/],
    ['a file without tables', [file('none.yaml', 'a: 1')], /There is no table in/],
    ['broken JSON', [file('broken.json', '{"a":')], /neither JSON nor YAML/],
    ['an unknown rule', [clean, '--ignore', 'no-such-rule'], /'no-such-rule', which does not exist/],
    ['an unknown level', [clean, '--fail-on', 'fatal'], /--fail-on is 'fatal'; it must be error or warning/],
    ['wrong settings', [clean, '--config', file('d.yaml', 'rules: 1')], /has 'rules'; it may have ignore/],
    ['items of another table', [clean, '--items', `carts=${items}`], /belongs to 0 tables/],
    ['items that are no JSON', [clean, '--items', file('bad.jsonl', '{"id":"a"}\nx')], /Line 2 of the items/],
    ['files and a table', [clean, '--table', 'events'], /not both/],
  ] as const)('says in one sentence what is wrong with %s, and exits with 2', async (_, args, message) => {
    const { code, out, err } = await isotherm('lint', ...args)
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  it('exits with 1 for a table that does not exist', async () => {
    const { code, err } = await isotherm('lint', '--table', 'none', '--endpoint', endpoint)
    expect(err).toMatch(/^isotherm: The table none cannot be described: ResourceNotFoundException/)
    expect(code).toBe(1)
  })
})
