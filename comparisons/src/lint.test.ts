import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, expect, it } from 'vitest'
import { isotherm } from '../../packages/cli/src/isotherm.fixture.js'

const installed = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-sarif-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The published schema of the format. What it uses of draft 4 is also in draft 7, but for the name of its `id`. */
const {
  id: $id,
  $schema: _draft,
  ...schema
} = JSON.parse(readFileSync(installed('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'))

/** A table with findings in its definition, and items with findings of their own. */
const BAD = `
Resources:
  Votes:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub 'votes-\${AWS::Region}'
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions:
        - { AttributeName: status, AttributeType: S }
        - { AttributeName: type, AttributeType: S }
      KeySchema:
        - { AttributeName: status, KeyType: HASH }
      GlobalSecondaryIndexes:
        - IndexName: by_type
          KeySchema: [{ AttributeName: type, KeyType: HASH }]
          Projection: { ProjectionType: ALL }
`

it.each([
  ['findings', ['lint', write('template.yaml', BAD)]],
  ['findings of items', ['lint', write('t.yaml', BAD), '--items', write('items.jsonl', itemLines())]],
  ['a real module of CloudFormation', ['lint', installed('@cfn-modules/dynamodb-table/module.yml')]],
])('SARIF is as its schema has it: %s', async (_what, args) => {
  const { out } = await isotherm(...args, '--format', 'sarif')
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv)
  const validate = ajv.compile({ $id, ...schema })
  expect(validate({ version: '2.1.0' })).toBe(false)
  validate(JSON.parse(out))
  expect(validate.errors ?? []).toEqual([])
})

it('reads a real module of CloudFormation: its table, under its conditions', async () => {
  const { out, err } = await isotherm('lint', installed('@cfn-modules/dynamodb-table/module.yml'), '--json')
  expect(err).toBe('')
  expect(JSON.parse(out).tables).toHaveLength(1)
})

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

function itemLines(): string {
  return Array.from({ length: 60 }, (_, at) => JSON.stringify({ status: `open_${1 + (at % 10)}` })).join('\n')
}
