import { describe, expect, it } from 'vitest'
import { lintTable } from '../lint/lint-table.js'
import { readTables } from './read-tables.js'

const ABOUT_KEYS = ['undefined-key-attribute', 'unused-attribute-definition']

function errorsOf(properties: string): readonly string[] {
  const text = `Parameters:
  Place: { Type: String }
Mappings:
  Units: { dev: { Write: 5 } }
Resources:
  Votes:
    Type: AWS::DynamoDB::Table
    Properties: ${properties}
`
  return readTables(text, 'template.yaml').flatMap((table) =>
    lintTable(table)
      .findings.filter(({ rule }) => ABOUT_KEYS.includes(rule))
      .map(({ evidence }) => evidence),
  )
}

const DECLARED = 'AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]'
const KEY = 'KeySchema: [{ AttributeName: id, KeyType: HASH }]'
const INCLUDED = "{ 'Fn::Transform': { Name: AWS::Include, Parameters: { Location: part.yaml } } }"

describe('what only the deployment knows is no error', () => {
  it.each([
    ['declarations from a macro', `{ AttributeDefinitions: ${INCLUDED}, ${KEY} }`],
    ['a key from a macro', `{ ${DECLARED}, KeySchema: ${INCLUDED} }`],
    ['members that a macro adds', `{ 'Fn::Transform': { Name: Mine }, ${KEY} }`],
    [
      'a name of another stack',
      `{ ${DECLARED}, KeySchema: [{ AttributeName: !ImportValue key, KeyType: HASH }] }`,
    ],
    [
      'a declaration that is looked up by a parameter without a default',
      `{ AttributeDefinitions: [!FindInMap [Units, !Ref Place, Write]], ${KEY} }`,
    ],
    ['a list of the Serverless Framework', `{ AttributeDefinitions: '\${file(attributes.yml)}', ${KEY} }`],
    ['an element of such a list', `{ AttributeDefinitions: ['\${file(id.yml)}'], ${KEY} }`],
  ])('%s', (_, properties) => {
    expect(errorsOf(properties)).toEqual([])
  })
})

describe('what the template says is checked', () => {
  it.each([
    ['as it is', `{ AttributeDefinitions: [], ${KEY} }`],
    [
      'beside a capacity that is not known',
      `{ AttributeDefinitions: [], ${KEY}, GlobalSecondaryIndexes: [{ IndexName: i, KeySchema: [{ AttributeName: id, KeyType: HASH }], ProvisionedThroughput: { WriteCapacityUnits: !FindInMap [Units, !Ref Place, Write] } }] }`,
    ],
    ['beside an element that is removed', `{ AttributeDefinitions: [!Ref AWS::NoValue], ${KEY} }`],
  ])('%s', (_, properties) => {
    expect(errorsOf(properties)).toContain('id is in the key of the table, but not in AttributeDefinitions.')
  })

  it('with the attributes of vector indexes', () => {
    const index =
      'VectorIndexes: [{ IndexName: near, SearchSchema: [{ AttributeName: area, SearchSchemaElementType: HASH }] }]'
    const area =
      'AttributeDefinitions: [{ AttributeName: id, AttributeType: S }, { AttributeName: area, AttributeType: S }]'
    expect(errorsOf(`{ ${area}, ${KEY}, ${index} }`)).toEqual([])
    expect(errorsOf(`{ ${DECLARED}, ${KEY}, ${index} }`)).toEqual([
      'area is in the SearchSchema of near, but not in AttributeDefinitions.',
    ])
  })
})
