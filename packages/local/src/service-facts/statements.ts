import { expect } from 'vitest'
import { FactBench } from './fact-bench.js'
import type { ServiceFactGroup } from './service-fact.js'

const stated = (Statement: string, Parameters?: object[], more: object = {}) =>
  new FactBench().refusal('ExecuteStatement', {
    Statement,
    ...(Parameters === undefined ? {} : { Parameters }),
    ...more,
  })

const SEVERAL =
  'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.'
const UNDERFLOW = 'Number underflow. Attempting to store a number with magnitude smaller than supported range'

export const STATEMENTS: ServiceFactGroup = {
  subject: 'PartiQL',
  file: 'statements',
  facts: [
    {
      id: 'F070',
      fact: 'A statement cannot read an index with several attributes in a half of its key.',
      source: 'tests/tier3/error-messages/partiqlMultiAttributeIndex.test.ts',
      async show() {
        expect(stated(`SELECT * FROM "iii"."many" WHERE h = 'x'`)).toBe(SEVERAL)
        expect(stated(`SELECT * FROM "iii"."many" WHERE h = 1 ORDER BY x`)).toBe(SEVERAL)
        expect(stated(`SELECT COUNT(*) FROM "iii"."many"`)).toBe(SEVERAL)
        expect(stated(`SELECT COUNT(*) FROM "iii"."gsi1"`)).toBe('Unexpected path component at 1:8:5')
        expect(stated(`SELECT * FROM "iii"."hashes" WHERE h = 'x'`)).toBe(SEVERAL)
        expect(stated(`SELECT * FROM "iii"."many" WHERE`)).toContain('Unexpected term')
        expect(stated(`SELECT * FROM "iii"."many" WHERE h = ?`)).toContain('Number of parameters')
        const bench = new FactBench()
        bench.ask('PutItem', { TableName: 'iii', Item: { pk: { S: 'p' } } })
        const answer = await bench.ask('BatchExecuteStatement', {
          Statements: [
            { Statement: `SELECT * FROM "iii"."many" WHERE h = 'x'` },
            { Statement: `SELECT * FROM "iii" WHERE pk = 'p'` },
          ],
        })
        expect(answer.Responses).toEqual([
          { Error: { Code: 'ValidationError', Message: SEVERAL } },
          { TableName: 'iii', Item: { pk: { S: 'p' } } },
        ])
      },
    },
    {
      id: 'F071',
      fact: 'A type test that stands alone is an unsupported operation.',
      source: 'tests/tier3/error-messages/partiqlGrammar.test.ts',
      show() {
        for (const type of ['INT4', 'INT8', 'DOUBLE PRECISION', 'CHARACTER VARYING']) {
          expect(stated(`x IS ${type}`)).toBe('Unsupported operation: IsType')
        }
      },
    },
    {
      id: 'F072',
      fact: 'The error of a missing index does not name it, and comes before that of a consistent read.',
      source: 'tests/tier3/error-messages/indexReads.test.ts',
      show() {
        const message = 'The table does not have the specified index'
        expect(stated('SELECT * FROM "iii"."none"')).toBe(message)
        expect(stated('SELECT * FROM "iii"."iii"')).toBe(message)
        expect(stated('SELECT * FROM "iii"."none"', undefined, { ConsistentRead: true })).toBe(message)
      },
    },
    {
      id: 'F073',
      fact: 'A statement has another text than Query for a consistent read of a global index.',
      source: 'tests/tier3/error-messages/indexReads.test.ts',
      show() {
        expect(stated('SELECT * FROM "iii"."gsi1"', undefined, { ConsistentRead: true })).toBe(
          'Strongly consistent read is not supported on Global Secondary Indexes',
        )
      },
    },
    {
      id: 'F074',
      fact: 'Inside OR, a filter may use an attribute that the index does not project.',
      source: 'tests/tier2/partiql/indexQualifier.test.ts',
      show() {
        const bench = new FactBench()
        for (const [pk, k] of ['y', 'y2', 'z'].entries()) {
          bench.ask('PutItem', {
            TableName: 'iii',
            Item: { pk: { S: `${pk}` }, k: { S: k }, other: { S: 'x' } },
          })
        }
        const Statement = `SELECT * FROM "iii"."gsi1" WHERE (k = 'y' AND other = 'x') OR (k = 'y2')`
        // The index does not hold the attribute, so the first half matches nothing.
        expect(bench.ask('ExecuteStatement', { Statement }).Items).toEqual([
          { pk: { S: '1' }, k: { S: 'y2' } },
        ])
        expect(stated(`SELECT * FROM "iii"."gsi1" WHERE k = 'y' AND other = 'x'`)).toContain(
          'does not project',
        )
      },
    },
    {
      id: 'F075',
      fact: 'A NextToken is valid only for the index that it was made on.',
      source: 'tests/tier2/partiql/indexQualifier.test.ts',
      show() {
        const bench = new FactBench()
        for (const pk of ['a', 'b']) {
          const Item = { pk: { S: pk }, k: { S: 'k' }, b: { B: 'AA==' } }
          bench.ask('PutItem', { TableName: 'iii', Item })
        }
        const read = (index: string) => `SELECT * FROM "iii"."${index}"`
        const { NextToken } = bench.ask('ExecuteStatement', { Statement: read('gsi1'), Limit: 1 })
        expect(bench.ask('ExecuteStatement', { Statement: read('gsi1'), NextToken }).Items).toHaveLength(1)
        expect(bench.refusal('ExecuteStatement', { Statement: read('bin'), NextToken })).toBe(
          'Invalid NextToken',
        )
      },
    },
    {
      id: 'F076',
      fact: 'Operands are checked before the table is looked up.',
      source: 'tests/tier3/validation-ordering/partiql.test.ts',
      show() {
        const parameters = [{ S: 'p' }, { BOOL: true }]
        for (const statement of ['SELECT * FROM "none"', 'UPDATE "none" SET a = 1', 'DELETE FROM "none"']) {
          expect(stated(`${statement} WHERE pk = ? AND val < ?`, parameters)).toContain(
            'Incorrect operand type',
          )
        }
      },
    },
    {
      id: 'F077',
      fact: 'A parameter with the exponent 2147483647 is an underflow.',
      source: 'tests/tier3/error-messages/partiqlParameterNumbers.test.ts',
      show() {
        const parameters = [{ N: '1e2147483647' }]
        for (const statement of [
          'SELECT * FROM "ttt" WHERE pk = ?',
          `SELECT * FROM "ttt" WHERE pk = 'p' AND v = ?`,
          `INSERT INTO "ttt" VALUE {'pk': ?}`,
          `UPDATE "ttt" SET v = ? WHERE pk = 'p'`,
        ]) {
          expect(stated(statement, parameters)).toBe(UNDERFLOW)
        }
      },
    },
  ],
}
