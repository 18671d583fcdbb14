import { expect, it } from 'vitest'
import { readTables } from './read-tables.js'

const body = (name: string) => `
        Type: AWS::DynamoDB::Table
        Properties:
          TableName: ${name}
          AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]
          KeySchema: [{ AttributeName: id, KeyType: HASH }]
          BillingMode: PAY_PER_REQUEST`

function namesIn(text: string): readonly (readonly [string, string | undefined, number | undefined])[] {
  return readTables(text, 'loop.yaml').map(({ name, place }) => [name, place.resource, place.firstLine])
}

it('a loop makes a table for each value of its list, all at the line of its body', () => {
  const text = `Transform: AWS::LanguageExtensions
Parameters:
  Regions: { Type: CommaDelimitedList, Default: 'north, south' }
Resources:
  Fn::ForEach::Areas:
    - Area
    - !Ref Regions
    - Orders\${Area}:${body("!Sub 'orders-&{Area}'")}
`
  expect(namesIn(text)).toEqual([
    ['orders-north', 'Ordersnorth', 8],
    ['orders-south', 'Orderssouth', 8],
  ])
})

it('loops in loops multiply, and a reference to the variable is its value', () => {
  const text = `
Resources:
  Fn::ForEach::Teams:
    - Team
    - [red, blue]
    - Fn::ForEach::Kinds:
        - Kind
        - [cart, log]
        - \${Team}&{Kind}:
            Type: AWS::DynamoDB::Table
            Properties:
              TableName: !Join ['-', [!Ref Team, !Ref Kind]]
              KeySchema: [{ AttributeName: id, KeyType: HASH }]
`
  expect(namesIn(text).map(([name, resource]) => [name, resource])).toEqual([
    ['red-cart', 'redcart'],
    ['red-log', 'redlog'],
    ['blue-cart', 'bluecart'],
    ['blue-log', 'bluelog'],
  ])
})

it('a loop over a list that only the deployment knows is one table, with its variable as it is written', () => {
  const text = `
Parameters:
  Stages: { Type: CommaDelimitedList }
Resources:
  Fn::ForEach::Each:
    - Stage
    - !Ref Stages
    - Votes\${Stage}:${body("!Sub 'votes-&{Stage}'")}
`
  expect(namesIn(text).map(([name]) => name)).toEqual([`votes-\${Stage}`])
})

it('loops that would make too many tables end', () => {
  const list = JSON.stringify(Array.from({ length: 200 }, (_, index) => `v${index}`))
  const loop = (name: string, inner: string) => `{"Fn::ForEach::${name}": ["${name}", ${list}, ${inner}]}`
  const table = `{"T\${A}\${B}\${C}": {"Type": "AWS::DynamoDB::Table", "Properties": {}}}`
  const text = `{"Resources": ${loop('A', loop('B', loop('C', table)))}}`
  expect(readTables(text, 'many.json')).toHaveLength(5_000)
})
